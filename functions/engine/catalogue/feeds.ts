import { xmlText } from '#functions/engine/export/xml.ts'

/** An entry of a feed. Times are ISO text in UTC. */
export interface FeedEntry {
  /** A permanent `tag:` URI of the entry. */
  id: string
  title: string
  url: string
  updatedAt: string
  /** The same where its first publication is unknown. */
  publishedAt: string
  /** Plain text. */
  text: string
  /** Where it differs from the feed's. */
  author?: string
}

/** A feed before it has a format. */
export interface Feed {
  id: string
  title: string
  description: string
  /** The page that it follows. */
  url: string
  /** The tag of the language that it is written in. */
  language: string
  author: string
  /** The time of the newest entry, or of the feed's creation. */
  updatedAt: string
  entries: FeedEntry[]
}

const declaration = '<?xml version="1.0" encoding="utf-8"?>\n'

/**
 * The id of a feed or entry, as a `tag:` URI (RFC 4151): the authority is the place's host below the product's own,
 * which it keeps when it moves to another domain, `since` a day (`2026-11-21`) on which it had it.
 */
export function tagUri(
  { authority, since }: { authority: string; since: string },
  ...names: (string | number)[]
): string {
  return `tag:${authority},${since}:${names.map((name) => encodeURIComponent(name)).join('/')}`
}

const authorElement = (name: string) => `<author><name>${xmlText(name)}</name></author>`

/** A feed as Atom 1.0 (RFC 4287); `self` is its own address. */
export function atom(feed: Feed, self: string): string {
  const { id, title, description, url, language, author, updatedAt, entries } = feed
  const items = entries.map(
    (entry) =>
      `<entry><id>${xmlText(entry.id)}</id><title>${xmlText(entry.title)}</title><link rel="alternate" href="${xmlText(entry.url)}"/><published>${entry.publishedAt}</published><updated>${entry.updatedAt}</updated><summary>${xmlText(entry.text)}</summary>${entry.author ? authorElement(entry.author) : ''}</entry>`,
  )
  const head = [
    `<id>${xmlText(id)}</id>`,
    `<title>${xmlText(title)}</title>`,
    ...(description === '' ? [] : [`<subtitle>${xmlText(description)}</subtitle>`]),
    `<link rel="self" type="application/atom+xml" href="${xmlText(self)}"/>`,
    `<link rel="alternate" type="text/html" href="${xmlText(url)}"/>`,
    authorElement(author),
    `<updated>${updatedAt}</updated>`,
  ]
  return `${declaration}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xmlText(language)}">\n${[...head, ...items].join('\n')}\n</feed>\n`
}

/** The feed as JSON Feed 1.1 (jsonfeed.org). */
export function jsonFeed({ title, description, url, language, author, entries }: Feed, self: string): string {
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: url,
    feed_url: self,
    ...(description && { description }),
    language,
    authors: [{ name: author }],
    items: entries.map((entry) => ({
      id: entry.id,
      url: entry.url,
      title: entry.title,
      content_text: entry.text,
      ...(entry.author && { authors: [{ name: entry.author }] }),
      date_published: entry.publishedAt,
      date_modified: entry.updatedAt,
    })),
  }
  return `${JSON.stringify(feed, null, 1)}\n`
}

/** The feed as RSS 2.0, for older programs; a channel requires a description, so the title replaces an empty one. */
export function rss({ title, description, url, language, entries, updatedAt }: Feed, self: string): string {
  const items = entries.map(
    (entry) =>
      `<item><guid isPermaLink="false">${xmlText(entry.id)}</guid><title>${xmlText(entry.title)}</title><link>${xmlText(entry.url)}</link><pubDate>${formatFeedDate(entry.updatedAt)}</pubDate><description>${xmlText(entry.text)}</description></item>`,
  )
  const head = [
    `<title>${xmlText(title)}</title>`,
    `<link>${xmlText(url)}</link>`,
    `<description>${xmlText(description || title)}</description>`,
    `<language>${xmlText(language)}</language>`,
    `<atom:link rel="self" type="application/rss+xml" href="${xmlText(self)}"/>`,
    `<lastBuildDate>${formatFeedDate(updatedAt)}</lastBuildDate>`,
  ]
  return `${declaration}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>\n${[...head, ...items].join('\n')}\n</channel></rss>\n`
}

/** A time as RFC 822 has it, which is what `toUTCString` writes. */
const formatFeedDate = (time: string) => new Date(time).toUTCString()

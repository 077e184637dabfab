import type { MetaDescriptor, MetaFunction } from '@remix-run/cloudflare'
import { titleIn } from '../shell/page-title.ts'
import { embedPath, picturePath, pictureSize } from '#functions/shapes/hub-picture.ts'

/** The root's data that the head of a hub page needs. */
interface HubHead {
  place: { displayName: string }
  /** The prefix of the page's language. */
  frame: { base?: string }
  canonicalUrl: string
  alternates: { language: string; href: string }[]
}

/** Optional loader data for structured data: a schema.org thing, and the URL of the data's licence. */
interface StructuredData {
  found?: { thing: Record<string, unknown>; licence: string | null } | null
}

/** The root's data, of a hub or of the workspace. */
interface RootHead {
  hub?: HubHead | null
  main?: object | null
}

type Loader = (...args: never[]) => unknown

/**
 * Extends a route's `meta` on hub pages: Open Graph and X cards from its title and description, links to feeds and files, and JSON-LD.
 * In the workspace and on error pages only the route's own. Titles include the place.
 */
export function withSharing<L extends Loader = Loader>(meta: MetaFunction<L>): MetaFunction<L> {
  return (args) => {
    const own = meta(args) ?? []
    const root = args.matches.find(({ id }) => id === 'root')?.data as RootHead | undefined
    const hub = root?.hub
    const address = hub?.alternates.find(({ language }) => language === 'x-default')?.href
    const tags = own.map((each) => {
      if (!('title' in each)) return each
      const title = String(each.title)
      if (hub) return { title: formatPageTitle(title, hub) }
      return root?.main ? { title: titleIn(args.matches, title) } : each
    })
    if (!hub) return tags
    if (address === undefined || own.some((each) => 'name' in each && each.name === 'robots')) return tags
    const { origin, pathname } = new URL(address)
    const { found: dataset = null } = (args.data ?? {}) as StructuredData
    return [
      ...tags,
      ...networks(hub, own, { origin, path: pathname, isArticle: dataset?.thing['@type'] === 'Article' }),
      ...buildDataLinks(origin, pathname, hub.frame.base ?? ''),
      ...(dataset?.licence ? [link('license', dataset.licence)] : []),
      ...(dataset ? [{ 'script:ld+json': dataset.thing } as MetaDescriptor] : []),
    ]
  }
}

/** "Page titles: 'title · place display name'"; the home's is the place's name alone. */
function formatPageTitle(title: string, { place: { displayName } }: HubHead): string {
  return title === displayName ? title : `${title} · ${displayName}`
}

interface PageLocation {
  origin: string
  /** Without a language prefix. */
  path: string
  isArticle: boolean
}

function networks(
  hub: HubHead,
  own: MetaDescriptor[],
  { origin, path, isArticle }: PageLocation,
): MetaDescriptor[] {
  const title =
    own.flatMap((each) => ('title' in each ? [String(each.title)] : []))[0] ?? hub.place.displayName
  const ownDescription = own.find((each) => 'name' in each && each.name === 'description')
  const description =
    ownDescription && 'content' in ownDescription
      ? String(ownDescription.content)
      : `${title} · ${hub.place.displayName}`
  const property = (name: string, content: string) => ({ property: `og:${name}`, content })
  return [
    ...(ownDescription ? [] : [{ name: 'description', content: description }]),
    property('type', isArticle ? 'article' : 'website'),
    property('site_name', hub.place.displayName),
    property('title', title),
    property('description', description),
    property('url', hub.canonicalUrl),
    property('image', origin + picturePath(path, hub.frame.base)),
    property('image:width', String(pictureSize.width)),
    property('image:height', String(pictureSize.height)),
    property('image:alt', `${title}. ${description}`),
    { name: 'twitter:card', content: 'summary_large_image' },
  ]
}

const link = (rel: string, href: string, type?: string, title?: string): MetaDescriptor => ({
  tagName: 'link',
  rel,
  href,
  ...(type && { type }),
  ...(title && { title }),
})

const atom = 'application/atom+xml'
const jsonFeed = 'application/feed+json'

/** Links to feeds, data, and oEmbed. */
function buildDataLinks(origin: string, path: string, base: string): MetaDescriptor[] {
  const feeds = (of: string) => [
    link('alternate', `${origin}${of}feed.atom`, atom),
    link('alternate', `${origin}${of}feed.json`, jsonFeed),
  ]
  if (path === '/' || path === '/domains')
    return [
      ...feeds('/'),
      link('alternate', `${origin}/catalog/dcat-ap-3.jsonld`, 'application/ld+json', 'DCAT-AP 3'),
      link('alternate', `${origin}/catalog/dcat-ap-3.ttl`, 'text/turtle', 'DCAT-AP 3'),
      link('alternate', `${origin}/data.json`, 'application/json', 'DCAT-US 1.1'),
    ]
  if (path === '/datastories') return feeds('/datastories/')
  // The XML variant is found through the JSON one; a second link would be redundant.
  const oembed = link(
    'alternate',
    `${origin}/oembed?url=${encodeURIComponent(origin + base + path)}&format=json`,
    'application/json+oembed',
  )
  if (path === '/map' || path.startsWith('/pages/')) return [oembed]
  if (embedPath(path) === null) return []
  return [
    ...feeds(`${path}/`),
    oembed,
    link('describedby', `${origin}${path}/csv-metadata.json`, 'application/csvm+json'),
    link('describedby', `${origin}${path}/table-schema.json`, 'application/json'),
  ]
}

/** Maximum length of a slug; a longer one is cut and gets a hash. */
const longest = 60

/**
 * The slug of a topic: its letters and digits in lower case, of any script, with `-` between words: `Health & Safety` is
 * `health-safety`. Topics that differ only in case, spaces or punctuation share it, as spellings of one topic. Topics that letters and
 * digits alone would not distinguish (symbols such as `+` and emoji, more than 60 letters) get a hash of the whole text. Depends on
 * the text alone; never empty.
 */
export function topicSlug(topic: string): string {
  const text = topic
    .normalize('NFC')
    // Invisible joiners and direction marks are removed.
    .replace(/[\p{Cf}\p{Variation_Selector}]/gu, '')
    .toLowerCase()
    .normalize('NFC')
  const words = text
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
  const plain = words.join('-')
  const letters = [...plain]
  if (plain !== '' && letters.length <= longest && !/\p{S}/u.test(text)) return plain
  const start = letters.slice(0, longest).join('').replace(/-+$/, '')
  return `${start || 'topic'}-${hashText(text.replace(/\s+/g, ' ').trim())}`
}

/** The path of a topic's page on a hub, without a language. */
export const topicPath = (topic: string): string => slugPath(topicSlug(topic))

/** The same by slug. */
export const slugPath = (slug: string): string => `${topicsPath}/${encodeURIComponent(slug)}`

/** The path of the list of topics. */
export const topicsPath = '/topics'

/** A topic with its rows. */
export interface Topic<Row> {
  slug: string
  /** Its most frequent spelling; of equally frequent ones the alphabetically first. */
  name: string
  rows: Row[]
}

/** Groups rows by topic, the most rows first, ties by name; rows without a topic are dropped. */
export function groupByTopic<Row>(rows: readonly Row[], getTopic: (row: Row) => string | null): Topic<Row>[] {
  const topics = new Map<string, { rows: Row[]; spellings: Map<string, number> }>()
  const slugs = new Map<string, string>()
  for (const row of rows) {
    const text = getTopic(row)?.trim()
    if (!text) continue
    const slug = slugs.get(text) ?? topicSlug(text)
    slugs.set(text, slug)
    const topic = topics.get(slug) ?? { rows: [], spellings: new Map<string, number>() }
    topics.set(slug, topic)
    topic.rows.push(row)
    topic.spellings.set(text, (topic.spellings.get(text) ?? 0) + 1)
  }
  const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  return [...topics]
    .map(([slug, { rows: of, spellings }]) => {
      const [first] = [...spellings].sort(([a, n], [b, m]) => m - n || compareTexts(a, b))
      return { slug, name: first?.[0] ?? slug, rows: of }
    })
    .sort(
      (a, b) => b.rows.length - a.rows.length || compareTexts(a.name, b.name) || compareTexts(a.slug, b.slug),
    )
}

/** A hash of seven letters and digits (FNV-1a of 32 bits); only for distinguishing a few texts, not for security. */
function hashText(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(36).padStart(7, '0')
}

/** Letters and signs of a topic that its address keeps; the rest of a longer one is a mark. */
const longest = 60

/**
 * What the address of a topic calls it: its letters and digits in lower case, in any alphabet, with `-` between words: `Health & Safety` is
 * `health-safety`. Topics that differ only in case, spaces or punctuation have the same one: they are one topic that was written in several ways.
 * What letters and digits alone would not tell apart (signs such as `+` and emoji, a text of more than 60 letters) has a mark made of
 * the whole text at its end, so that no two others are taken for one. Depends on the text alone; never empty.
 */
export function topicSlug(topic: string): string {
  const text = topic
    .normalize('NFC')
    // Joiners and marks of direction are no letters: nobody sees them.
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
  return `${start || 'topic'}-${markOf(text.replace(/\s+/g, ' ').trim())}`
}

/** The path of the page of a topic on a hub, without a language. */
export const topicPath = (topic: string): string => slugPath(topicSlug(topic))

/** The same by what the address calls it. */
export const slugPath = (slug: string): string => `${topicsPath}/${encodeURIComponent(slug)}`

/** The path of the list of topics. */
export const topicsPath = '/topics'

/** What is of one topic. */
export interface Topic<Row> {
  slug: string
  /** As it is written most often; of those that are as frequent the first by their letters. */
  name: string
  rows: Row[]
}

/** Rows by their topics, the one with the most rows first, those with as many by their names; without those of none. */
export function byTopic<Row>(rows: readonly Row[], topicOf: (row: Row) => string | null): Topic<Row>[] {
  const topics = new Map<string, { rows: Row[]; spellings: Map<string, number> }>()
  const slugs = new Map<string, string>()
  for (const row of rows) {
    const text = topicOf(row)?.trim()
    if (!text) continue
    const slug = slugs.get(text) ?? topicSlug(text)
    slugs.set(text, slug)
    const topic = topics.get(slug) ?? { rows: [], spellings: new Map<string, number>() }
    topics.set(slug, topic)
    topic.rows.push(row)
    topic.spellings.set(text, (topic.spellings.get(text) ?? 0) + 1)
  }
  const inOrder = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  return [...topics]
    .map(([slug, { rows: of, spellings }]) => {
      const [first] = [...spellings].sort(([a, n], [b, m]) => m - n || inOrder(a, b))
      return { slug, name: first?.[0] ?? slug, rows: of }
    })
    .sort((a, b) => b.rows.length - a.rows.length || inOrder(a.name, b.name) || inOrder(a.slug, b.slug))
}

/** Seven letters and digits that stand for a text (FNV-1a of 32 bits): what is told apart by it is few, and none of it a secret. */
function markOf(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(36).padStart(7, '0')
}

import { createAreaFinder, type NamedArea } from '#functions/engine/gazetteer/areas.ts'
import { placeKey } from '#functions/engine/gazetteer/name-key.ts'
import { splitKeyPath } from '#functions/shapes/importer-mapping.ts'
import type { SourceRow } from '../row.ts'
import type { Proposal } from './propose.ts'
import { emptyCounts, isEnough, textAt, type PlaceOffer } from './place-offer.ts'

/** A boundary set of the organization whose areas a column may name. */
export interface OfferedSet {
  id: string
  title: string
  /** Its title and the attributes with the names and codes of its areas: words that a header may have. */
  words: readonly string[]
  areas: readonly Omit<NamedArea, 'point'>[]
}

/** The columns that are compared with each set. */
const maxColumns = 60
/** Values as short as this, and numbers, are names of many things: the header has to say what they are. */
const tellingLength = 3

/**
 * A point made from the names or codes of areas; null where no column has enough that are known in one of the sets. Of
 * several the column and set with most points, then the first.
 */
export function areaOffer(
  { fields }: Proposal,
  rows: readonly SourceRow[],
  sets: readonly OfferedSet[],
): PlaceOffer | null {
  const columns = fields
    .filter(({ type, paths }) => (type === 'text' || type === 'number') && paths.length === 1)
    .slice(0, maxColumns)
    .map(({ paths: [path = ''] }) => ({
      path,
      texts: rows.flatMap(({ value }) => textAt(value, path) ?? []),
    }))
  let best: PlaceOffer | null = null
  for (const set of sets) {
    const find = createAreaFinder({ ...set, areas: set.areas.map((area) => ({ ...area, point: [0, 0] })) })
    for (const { path, texts } of columns) {
      const counts = emptyCounts()
      const placedTexts: string[] = []
      for (const text of texts) {
        const answer = find(text)
        if ('point' in answer) placedTexts.push(text)
        counts['point' in answer ? 'placed' : answer.kind] += 1
      }
      if (!isEnough(counts) || (best && best.counts.placed >= counts.placed)) continue
      if (!placedTexts.some(isTelling) && !isHeadedLike(path, set.words)) continue
      best = {
        value: { transform: 'findArea', arguments: [{ field: path }, set.id] },
        ...{ paths: [path], counts, what: `names areas of “${set.title}”` },
        origin: `inside the areas of the boundary set “${set.title}”`,
      }
    }
  }
  return best
}

const isTelling = (text: string) => text.trim().length >= tellingLength && !/^[\d\s.,-]+$/.test(text)

/** Words that say nothing about what is numbered. */
const vagueWords = new Set('id code codes name names no nr num number of the and for by in'.split(' '))
/** The plural of a word has up to so many letters more. */
const maxEnding = 2

/** Whether a header has a word of a set, in the singular or plural. */
function isHeadedLike(path: string, words: readonly string[]): boolean {
  const splitWords = (text: string) =>
    placeKey(text.replace(/([a-z])([A-Z])/g, '$1 $2'))
      .split(' ')
      .filter((word) => word.length > 1 && !vagueWords.has(word) && !/^\d+$/.test(word))
  const setWords = words.flatMap(splitWords)
  return splitWords(splitKeyPath(path).at(-1) ?? '').some((word) =>
    setWords.some((other) => {
      const [short = '', long = ''] = [word, other].sort((a, b) => a.length - b.length)
      return (
        short === long ||
        (short.length > 2 && long.startsWith(short) && long.length - short.length <= maxEnding)
      )
    }),
  )
}

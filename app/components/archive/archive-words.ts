import { codeWords } from '../form/code-words.ts'
import { nounOf } from '../list/list-query.ts'
import type { ArchiveReport } from '#functions/shapes/archive.ts'

/** What is counted of an archive, in the order in which it is made, with its words. */
const countedNouns: [keyof ArchiveReport['counts'], string][] = [
  ['dataTypes', 'data types'],
  ['sources', 'sources'],
  ['records', 'records'],
  ['insights', 'insights'],
  ['collections', 'collections'],
  ['pages', 'pages'],
  ['media', 'files'],
  ['boundarySets', 'boundary sets'],
  ['translations', 'translations'],
  ['importers', 'importers'],
  ['observers', 'observers'],
]

const list = new Intl.ListFormat('en', { type: 'conjunction' })

/** "3 data types, 1 collection, and 2 pages": what an archive holds, without what it has none of; empty for an empty one. */
export const holdsWords = (counts: ArchiveReport['counts']): string =>
  list.format(
    countedNouns.flatMap(([noun, plural]) =>
      counts[noun] > 0 ? [`${counts[noun].toLocaleString('en')} ${nounOf(counts[noun], plural)}`] : [],
    ),
  )

/** What a thing of an archive is called where it stands first, by the noun of `/v1`. */
const things: Readonly<Record<string, string>> = {
  content: 'Part of a page',
  text: 'Text of a collection',
  media: 'File',
  place: 'The hub',
}
export const thingWords = (noun: string): string =>
  things[noun] ?? codeWords(noun).replace(/^./, (first) => first.toUpperCase())

interface Renamed {
  noun: string
  id: string
  from: string
}

/** Whether people and programs know a thing by its id: it has an address of its own. */
const hasAddress = ({ noun }: Renamed) => noun !== 'content' && noun !== 'text'

/** Things that got another id here, each with both, and how many parts of pages and collections did, which nobody names by theirs. */
export function renamedWords(changes: readonly Renamed[]): string[] {
  const withAddress = changes.filter(hasAddress)
  const parts = changes.length - withAddress.length
  return [
    ...withAddress.map(({ noun, id, from }) => `${thingWords(noun)} ${from}: ${id} here`),
    ...(parts > 0
      ? [`${parts.toLocaleString('en')} ${nounOf(parts, 'parts')} of pages and collections`]
      : []),
  ]
}

import { formatNumber } from '../list/number-format.ts'
import { codeWords } from '../form/code-words.ts'
import { pickNounForm } from '../list/list-query.ts'
import type { ArchiveReport } from '#functions/shapes/archive.ts'

/** The counted nouns of an archive in order of creation, with their words. */
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

/** The contents of an archive, without zeros: "3 data types, 1 collection, and 2 pages"; '' for an empty one. */
export const holdsWords = (counts: ArchiveReport['counts']): string =>
  list.format(
    countedNouns.flatMap(([noun, plural]) =>
      counts[noun] > 0 ? [`${formatNumber(counts[noun])} ${pickNounForm(counts[noun], plural)}`] : [],
    ),
  )

/** The names of an archive's things at the start of a sentence, by noun of `/v1`. */
const things: Readonly<Record<string, string>> = {
  content: 'Part of a page',
  text: 'Text of a collection',
  media: 'File',
  place: 'The hub',
}
export const thingWords = (noun: string): string =>
  things[noun] ?? codeWords(noun).replace(/^./, (first) => first.toUpperCase())

interface NameChange {
  noun: string
  id: string
  from: string
}

/** Whether the id of a thing is visible to people and programs, as part of its path. */
const hasAddress = ({ noun }: NameChange) => noun !== 'content' && noun !== 'text'

/** The things that got another id, with both ids, and the number of contents and texts that did, whose ids are not visible. */
export function describeIdChanges(changes: readonly NameChange[]): string[] {
  const withAddress = changes.filter(hasAddress)
  const parts = changes.length - withAddress.length
  return [
    ...withAddress.map(({ noun, id, from }) => `${thingWords(noun)} ${from}: ${id} here`),
    ...(parts > 0 ? [`${formatNumber(parts)} ${pickNounForm(parts, 'parts')} of pages and collections`] : []),
  ]
}

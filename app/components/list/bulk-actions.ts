import { formatNumber } from './number-format.ts'
import type { Option } from '../form/field.tsx'
import type { Visibility } from './badges.tsx'
import { pickNounForm } from './list-query.ts'

/** The lists with bulk actions. */
export const bulkNouns = ['sources', 'insights', 'collections', 'pages', 'types', 'boundaries'] as const
export type BulkNoun = (typeof bulkNouns)[number]

/** The bulk actions. */
export type BulkAction = Visibility | 'publish' | 'draft' | 'tag' | 'untag' | 'delete'

/** The texts of each action: option, button, pending and done. */
export const actionWords: Record<BulkAction, { title: string; button: string; doing: string; done: string }> =
  {
    public: { title: 'Make public', button: 'Make public', doing: 'Changing…', done: 'public now' },
    place: {
      ...{ title: 'Show to the organization only', button: 'Show to the organization only' },
      ...{ doing: 'Changing…', done: 'for the organization only now' },
    },
    private: { title: 'Make private', button: 'Make private', doing: 'Changing…', done: 'private now' },
    publish: { title: 'Publish', button: 'Publish', doing: 'Publishing…', done: 'published' },
    draft: { title: 'Take back to draft', button: 'Take back', doing: 'Taking back…', done: 'drafts again' },
    tag: { title: 'Add tags', button: 'Add the tags', doing: 'Tagging…', done: 'tagged' },
    untag: {
      title: 'Take tags away',
      button: 'Take the tags away',
      doing: 'Changing…',
      done: 'without these tags now',
    },
    delete: { title: 'Delete', button: 'Delete', doing: 'Deleting…', done: 'deleted' },
  }

export const manyNames: Record<BulkNoun, { plural: string; list: string }> = {
  sources: { plural: 'sources', list: 'Data' },
  insights: { plural: 'insights', list: 'All insights' },
  collections: { plural: 'collections', list: 'Insights' },
  pages: { plural: 'pages', list: 'Pages' },
  types: { plural: 'data types', list: 'Data types' },
  boundaries: { plural: 'boundary sets', list: 'Boundaries' },
}

/** "1 source", "12 sources". */
export const formatNounCount = (n: number, noun: BulkNoun) =>
  `${formatNumber(n)} ${pickNounForm(n, manyNames[noun].plural)}`

/** The actions as options of a form. */
export const actionOptions = (actions: readonly BulkAction[]): Option[] =>
  actions.map((value) => ({ value, label: actionWords[value].title }))

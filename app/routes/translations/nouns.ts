import type { TranslatableNoun } from '#functions/shapes/translatable.ts'

/** Plural labels of the nouns with texts. */
export const nounNames: Record<TranslatableNoun, string> = {
  place: 'The organization',
  page: 'Pages',
  content: 'Parts of pages',
  dataType: 'Data types',
  source: 'Sources',
  insight: 'Insights',
  collection: 'Collections',
  collectionText: 'Texts of collections',
}

import type { Generated } from 'kysely'
import type { AnswerRow, Output, Visualization } from '#functions/shapes/analytics.ts'
import type { BlockKind } from '#functions/shapes/block/index.ts'
import type { TranslatableNoun } from '#functions/shapes/translatable.ts'
import type { Locale } from '#functions/shapes/locale.ts'
import type { Json, RowColumns, Time, Visibility, TimeOrNull } from './schema-columns.ts'

/** The tables of insights, collections of them, and pages with their contents. */
export interface StoryTables {
  insight: InsightTable
  insightResult: InsightResultTable
  collection: CollectionTable
  collectionInsight: CollectionInsightTable
  collectionText: CollectionTextTable
  page: PageTable
  content: ContentTable
  pageVersion: PageVersionTable
  translation: TranslationTable
}

interface InsightTable extends RowColumns {
  id: string
  placeId: string
  name: string
  notes: Generated<string>
  visibility: Visibility
  tags: Generated<string[]>
  dataTypeId: string
  /** Null: queries all sources of the data type in the place. */
  sourceId: string | null
  visualization: Json<Visualization>
  query: Json<Record<string, unknown>>
}

/** The stored answer of an insight at the data versions named in `versionKey`. */
interface InsightResultTable {
  insightId: string
  placeId: string
  versionKey: string
  output: Json<Output>
  rows: Json<AnswerRow[]>
  computedAt: Time
}

interface CollectionTable extends RowColumns {
  id: string
  placeId: string
  name: string
  notes: Generated<string>
  visibility: Visibility
  tags: Generated<string[]>
}

interface CollectionInsightTable {
  collectionId: string
  insightId: string
  placeId: string
  position: number
  notes: Generated<string>
}

/** A text of a collection. Its `position` is in one order with those of the collection's insights. */
interface CollectionTextTable extends RowColumns {
  id: string
  placeId: string
  collectionId: string
  title: string
  html: Generated<string>
  position: number
}

interface PageTable extends RowColumns {
  id: string
  placeId: string
  title: string
  description: Generated<string>
  author: Generated<string>
  type: 'blank' | 'dashboard' | 'storytelling'
  publish: 'draft' | 'published'
  visibility: Visibility
  tags: Generated<string[]>
  publishedAt: TimeOrNull
}

interface ContentTable extends RowColumns {
  id: string
  placeId: string
  pageId: string
  kind: BlockKind
  /** text: { html }; insight: { insightId }; map: { insightId } or { sourceId }; dashboards add { x, y, w, h }. */
  settings: Json<Record<string, unknown>>
  position: number
}

/** A saved version of a page. `contents` are in the order of the page; `createdBy` null: unknown. */
interface PageVersionTable {
  id: string
  placeId: string
  pageId: string
  number: number
  kind: 'edited' | 'published' | 'restored'
  title: string
  description: string
  author: Generated<string>
  contents: Json<{ id: string; kind: ContentTable['kind']; settings: Record<string, unknown> }[]>
  digest: string
  bytes: number
  /** For a restored version: when the original was saved. */
  restoredFrom: TimeOrNull
  createdBy: string | null
  createdAt: Time
  updatedAt: Time
}

/** A translated text of a noun; `original` is the text that was translated. */
interface TranslationTable {
  id: string
  placeId: string
  noun: TranslatableNoun
  nounId: string
  path: string
  language: Locale
  text: string
  original: string
  version: Generated<number>
  updatedBy: string | null
  createdAt: Time
  updatedAt: Time
}

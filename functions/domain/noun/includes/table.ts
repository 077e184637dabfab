import { area, boundary } from './boundary.ts'
import { contents } from './contents.ts'
import { dataType } from './data-type.ts'
import { files } from './files.ts'
import { insights } from './insights.ts'
import { lastJob } from './last-job.ts'
import { place } from './place.ts'
import type { Relation } from './relation.ts'
import { sources } from './sources.ts'
import { texts } from './texts.ts'

/** The relations of each noun, by the name in requests and responses. */
export const relations = {
  dataType: { sources },
  source: { dataType, place },
  insight: { dataType },
  collection: { insights, texts },
  page: { contents },
  place: { boundary },
  boundary: { area },
  boundarySet: {},
  importer: { files, lastJob },
} satisfies Record<string, Record<string, Relation>>

type Relations = typeof relations

/** The related rows that rows of a noun may have, each only on request. */
export type IncludedIn<Noun extends keyof Relations> = {
  [Name in keyof Relations[Noun]]?: Relations[Noun][Name] extends Relation<infer Row, infer IsMany>
    ? IsMany extends true
      ? PartialRow<Row>[]
      : PartialRow<Row> | null
    : never
}

/** The requested attributes, and always the id. */
type PartialRow<Row> = Partial<Row> & Pick<Row, keyof Row & 'id'>

import type { Db } from './schema.ts'
import type { Output, Visualization } from '#functions/shapes/analytics.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { Mapping } from '#functions/shapes/importer-mapping.ts'

// The compiler is the test: an expected error that does not occur is an error itself.

/** Reads JSON columns, for their types. */
async function readColumns(db: Db): Promise<unknown[]> {
  const { schema } = await db.selectFrom('dataType').select('schema').executeTakeFirstOrThrow()
  const fields: FieldSchema = schema
  // @ts-expect-error Fields are no mapping.
  const mapping: Mapping = schema
  const { visualization } = await db.selectFrom('insight').select('visualization').executeTakeFirstOrThrow()
  const chart: Visualization = visualization
  // @ts-expect-error How an answer is drawn does not say what its columns are.
  const output: Output = visualization
  // @ts-expect-error JSON is written as text.
  const update = db.updateTable('insight').set({ visualization: chart })
  const { counts } = await db.selectFrom('job').select('counts').executeTakeFirstOrThrow()
  const read: number = counts.read
  // @ts-expect-error There is no such count.
  const guessed: number = counts.guessed
  return [fields, mapping, chart, output, update, read, guessed]
}
void readColumns

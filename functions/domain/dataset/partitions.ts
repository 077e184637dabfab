import { sql } from 'kysely'
import { partitionsOf, partitionTable } from '#db/dataTypeChange.ts'
import type { Context } from '#functions/context.ts'
import { allowStatements } from '#functions/domain/noun/statement-timeout.ts'

/** As much of a context as this needs: a script has no more. */
type Database = Pick<Context, 'db' | 'transaction'>

/** Above so many records a table is cut up: its indexes no longer fit into memory, and looking after it takes hours. */
export const partitionRows = 50_000_000
/** Into so many parts: a power of two, so that twice as many would halve each. */
const partitionCount = 16
/** Copying fifty million records with their indexes takes some minutes; nobody writes or reads them meanwhile. */
const statementTimeout = '2h'

/** A data type whose table is one and has more records than that. `records`: as they are kept, of all its sources. */
interface Overgrown {
  id: string
  records: number
}

/** The data types whose tables are to be cut into partitions, the largest first. As the product. */
export async function overgrown({ db }: Database, rows = partitionRows): Promise<Overgrown[]> {
  const matches = await db
    .selectFrom('dataType')
    .innerJoin('source', 'source.dataTypeId', 'dataType.id')
    .innerJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select(['dataType.id', 'dataType.tableName', sql<string>`sum(source_stat.count)`.as('records')])
    .where('dataType.tableName', 'is not', null)
    .groupBy(['dataType.id', 'dataType.tableName'])
    .having(sql`sum(source_stat.count)`, '>', rows)
    .orderBy('records', 'desc')
    .execute()
  const large: Overgrown[] = []
  for (const { id, tableName, records } of matches)
    if (tableName !== null && (await partitionsOf(db, tableName)) === 0)
      large.push({ id, records: Number(records) })
  return large
}

/**
 * Cuts the table of a data type into partitions by source, in one transaction: the same records under the same ids. Its
 * writers and readers wait until it is done, so an operator chooses when. As the product.
 */
export async function partition(
  { transaction }: Database,
  dataTypeId: string,
  partitions = partitionCount,
): Promise<void> {
  await transaction(async (tx) => {
    await allowStatements(tx, statementTimeout)
    await partitionTable(tx, dataTypeId, partitions)
  })
}

import { sql } from 'kysely'
import { countPartitions, partitionTable } from '#db/data-type-change.ts'
import type { Context } from '#functions/context.ts'
import { allowStatements } from '#functions/domain/noun/statement-timeout.ts'

/** The part of a context that a script has. */
type Database = Pick<Context, 'db' | 'transaction'>

/**
 * Tables with more records are partitioned: their indexes no longer fit into memory, and vacuuming takes
 * hours.
 */
export const partitionRows = 50_000_000
/** Number of partitions: a power of two, so that doubling it splits each in half. */
const partitionCount = 16
/**
 * Copying fifty million records with their indexes takes some minutes, during which they can neither be read
 * nor written.
 */
const statementTimeout = '2h'

/**
 * A data type whose table is not partitioned and too large. `records`: of all its sources, from the stored
 * stats.
 */
interface LargeType {
  id: string
  records: number
}

/** Data types whose tables should be partitioned, the largest first. Must run as the system actor. */
export async function findOversizedTables({ db }: Database, rows = partitionRows): Promise<LargeType[]> {
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
  const large: LargeType[] = []
  for (const { id, tableName, records } of matches)
    if (tableName !== null && (await countPartitions(db, tableName)) === 0)
      large.push({ id, records: Number(records) })
  return large
}

/**
 * Partitions the table of a data type by source, in one transaction: the records keep their ids. Blocks its
 * readers and writers until it is done, so an operator chooses the time. Must run as the system actor.
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

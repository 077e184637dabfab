import { sql } from 'kysely'
import { pictureRows, readByExternalId } from '#functions/domain/records/compare.ts'
import type { LocatedRow } from '#functions/domain/records/prepare.ts'
import { describeEmpty } from '#functions/domain/records/profile/read-as-empty.ts'
import type { WriteTarget } from '#functions/domain/records/write.ts'
import type { Run } from './run.ts'
import type { Tx } from '#db/schema.ts'
import type { JobPreview } from '#functions/shapes/job.ts'

/**
 * The maximal number of sample rows of each kind, of characters of their JSON in total, and of characters of
 * each value.
 */
const [mostSamples, mostLength, mostValue] = [100, 200_000, 500]

/** Collects the first rows of each kind. */
export class Samples {
  readonly created: LocatedRow[] = []
  readonly updated: LocatedRow[] = []
  readonly unchanged: LocatedRow[] = []
  readonly removed: string[] = []

  /** `created`, `updated`: by their external ids; all others are unchanged. */
  addRows(rows: readonly LocatedRow[], newIds: string[], changedIds: string[]): void {
    const [isNew, isOther] = [new Set(newIds), new Set(changedIds)]
    for (const row of rows) {
      const { externalId } = row
      const kind = isNew.has(externalId) ? 'created' : isOther.has(externalId) ? 'updated' : 'unchanged'
      if (this[kind].length < mostSamples) this[kind].push(row)
    }
  }

  addRemoved(externalIds: string[]): void {
    this.removed.push(...externalIds.slice(0, mostSamples - this.removed.length))
  }
}

/** The report of a dry run, with samples as the API would return them; long values are truncated. */
export async function buildPreview(
  tx: Tx,
  { job, cursor }: Run,
  target: Pick<WriteTarget, 'table' | 'columns' | 'sourceId'>,
  changes: { source: { version: number; count: number | null }; samples: Samples; type: JobPreview['type'] },
): Promise<JobPreview> {
  const { source, samples, type } = changes
  const rowByExternalId = new Map(
    [...samples.created, ...samples.updated].map((row) => [row.externalId, row.index]),
  )
  const newRows = await pictureRows(tx, target, samples.created)
  const changedRows = await pictureRows(tx, target, samples.updated)
  const removedRows = await readByExternalId(tx, target, samples.removed)
  const rejects = await tx
    .selectFrom('importReject')
    .select([sql<number>`row::float8`.as('row'), 'field', 'message', 'value', 'url'])
    .where('jobId', '=', job.id)
    .where('isTaken', '=', false)
    .orderBy('n')
    .limit(mostSamples)
    .execute()
  return {
    comparedWith: { version: source.version, records: source.count ?? 0 },
    samples: {
      created: limitBySize(
        newRows.map(({ externalId, data }) => ({
          ...{ row: rowByExternalId.get(externalId) ?? 0, externalId },
          data: shorten(data),
        })),
      ),
      updated: limitBySize(
        changedRows.map(({ externalId, changes }) => ({
          ...{ row: rowByExternalId.get(externalId) ?? 0, externalId },
          changes: changes.map(({ field, before, after }) => ({
            ...{ field, before: short(before), after: short(after) },
          })),
        })),
      ),
      unchanged: samples.unchanged.map(({ index, externalId }) => ({ row: index, externalId })),
      removed: limitBySize(removedRows.map(({ externalId, data }) => ({ externalId, data: shorten(data) }))),
      rejected: limitBySize(rejects),
    },
    type,
    readAsEmpty: Object.entries(cursor.conversions?.emptied ?? {})
      .slice(0, mostSamples)
      .map(([field, conversion]) => ({ field, ...describeEmpty(conversion) })),
  }
}

/** The first items of a list, up to the size limit of a response. */
function limitBySize<Item>(items: Item[]): Item[] {
  let length = 0
  return items.filter((item) => (length += JSON.stringify(item).length) <= mostLength)
}

const shorten = (data: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, short(value)]))

/** A value, truncated where its text is long: a shape may have a million positions. */
function short(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length <= mostValue ? value : `${[...text.slice(0, mostValue)].slice(0, -1).join('')}…`
}

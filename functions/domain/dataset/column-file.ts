import { readFileMetadata } from './export-about.ts'
import { recordSource } from './export-source.ts'
import { open, type Dataset } from './open.ts'
import { readProfiles } from './profiles.ts'
import type { Context } from '#functions/context.ts'
import { ColumnFileWriter, maxChoices, type WholeColumn } from '#functions/engine/table/column-file.ts'
import type { FieldProfile, FieldStat } from '#functions/shapes/field-profile.ts'

/** Most records of a whole file: with more, not even the ids and one column of numbers would fit. */
const maxRows = 500_000

/**
 * How many first records the file of a larger source holds: ten pages of a table; with very long records one
 * page.
 */
const firstRecords = [500, 50]

/**
 * All public records of a source by column, in the order of a list. Where they are too many or too long for
 * the edge to read, only the first 500 (or 50), with statistics of the columns over all records; null where
 * not even 50 fit. `most`: bytes of memory that the edge may use for one file. Throws where the data version
 * or the number of records is not the given one, because the data changed meanwhile.
 */
export async function writeColumnFile(
  ctx: Context,
  sourceId: string,
  { version, rows, most }: { version: number; rows: number; most?: number },
): Promise<Uint8Array | null> {
  for (const count of rows > maxRows ? firstRecords : [rows, ...firstRecords]) {
    const file = await writeRecords(ctx, sourceId, { version, rows, count, most })
    if (file) return file
  }
  return null
}

/** The first `count` records of a source; null when they are too long. */
async function writeRecords(
  ctx: Context,
  sourceId: string,
  { version, rows, count, most }: { version: number; rows: number; count: number; most: number | undefined },
): Promise<Uint8Array | null> {
  const scope = { sourceId }
  // One more than all, to notice that there are more records than given.
  const isWhole = count === rows
  const limit = isWhole ? rows + 1 : count
  const question = { limit }
  const limits = { defaultLimit: limit, maxLimit: limit }
  const dataset = await open(ctx, scope, { maxVisibility: 'public', limits, question })
  const about = await readFileMetadata(ctx, dataset, scope)
  const source = await recordSource(ctx, dataset, 'json', question, about)
  if (about.version !== String(version) || source.count !== Math.min(rows, limit))
    throw new Error('The data changed meanwhile.')
  const writer = new ColumnFileWriter(dataset.schema, isWhole ? most : undefined)
  for await (const page of source.pages('fields'))
    for (const { id, data } of page) if (!writer.add(id ?? '', data)) return null
  return writer.finish(isWhole ? undefined : { rows, columns: await readColumnStatistics(ctx, dataset) })
}

/**
 * Statistics of a source's columns: the stat that every write maintains, and the profiles if they are of this
 * data version.
 */
async function readColumnStatistics(ctx: Context, dataset: Dataset): Promise<Map<string, WholeColumn>> {
  const [source] = dataset.sources
  const { profiles } = await readProfiles(ctx, dataset)
  return new Map(
    Object.keys(dataset.schema).map((key) => [
      key,
      buildColumnStatistics(source?.stat.fields[key], profiles.get(key) ?? null),
    ]),
  )
}

function buildColumnStatistics(stat: FieldStat | undefined, profile: FieldProfile | null): WholeColumn {
  const choices = findChoices(stat, profile)
  const [min, max] = [stat?.min ?? profile?.min, stat?.max ?? profile?.max]
  return {
    empty: stat?.nulls ?? profile?.empty ?? 0,
    ...(profile?.distinct && { distinct: profile.distinct.count }),
    ...(choices && { choices }),
    ...(min != null && { min }),
    ...(max != null && { max }),
  }
}

/**
 * The most frequent texts with their exact counts; undefined where they are not known exactly. Truncated
 * texts are left out because a filter could not match them.
 */
function findChoices(stat: FieldStat | undefined, profile: FieldProfile | null): WholeColumn['choices'] {
  if (stat?.values)
    return Object.entries(stat.values)
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count)
      .slice(0, maxChoices)
  const top = profile?.top
  if (!top || top.tooLowBy !== undefined) return undefined
  return top.values.flatMap(({ value, count }) =>
    typeof value === 'string' && value.length < longestInProfile ? [{ value, count }] : [],
  )
}

/** Profiles truncate texts longer than this. */
const longestInProfile = 100

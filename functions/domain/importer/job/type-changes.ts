import type { RecordSubject } from '#functions/domain/records/change.ts'
import { explainMissingColumns } from './missing-columns.ts'
import type { Run } from './run.ts'
import { complete, fieldAt } from '#functions/engine/import/map/index.ts'
import {
  columnsIn,
  compare,
  openWords,
  profilerFrom,
  propose,
  type FieldEvidence,
  type ProfilerState,
} from '#functions/engine/import/profile/index.ts'
import { isPlainObject } from '#functions/shapes/fields/plain.ts'
import { splitKeyPath, type MappingValue } from '#functions/shapes/importer-mapping.ts'
import type { JobPreview, TypeChange } from '#functions/shapes/job.ts'

/** Rows named for each field. */
const maxFailing = 5
/** The most fields in the report: a source may have a thousand columns. */
const maxFields = 300

/** Compares the columns of all that was fetched with the source's data type. */
export async function typeChanges(
  { ctx, plan, cursor }: Run,
  { schema, typeVersion }: Pick<RecordSubject, 'schema' | 'typeVersion'>,
): Promise<JobPreview['type']> {
  const object = cursor.profile && (await ctx.files.get(cursor.profile.key))
  if (!object) throw new Error('What is known of the columns of a dry run is gone.')
  const profile = profilerFrom(JSON.parse(await object.text()) as ProfilerState).result()
  const { fields: proposal } = propose(profile, { name: plan.name })
  const comparison = compare(profile, schema, plan.mapping, plan.columns ?? {})
  const mapping = complete(plan.mapping, schema)
  const absent = new Set(comparison.absentColumns)
  const changes = comparison.fields.flatMap((each): TypeChange[] => {
    const type = fieldAt(schema, splitKeyPath(each.field))?.type ?? null
    const paths = [...new Set(columnsIn(mapping[each.field]))]
    const like = isFound(mapping[each.field]) ? undefined : proposal.find((one) => isSame(one.paths, paths))
    const about = { field: each.field, paths, type, proposed: like?.type ?? null }
    const { values, refused: failures, missing } = each
    const numbers = { values, refused: failures, missing, failing: each.failing.slice(0, maxFailing) }
    if (paths.length > 0 && paths.every((path) => absent.has(path)))
      return [{ change: 'gone', ...about, ...numbers, reason: explainMissingColumns(paths), notes: [] }]
    // An id is always proposed as text: that is no change where all rows match the type of the field.
    const isId = each.field === 'id' && failures === 0
    const isOther = like !== undefined && like.type !== type && !isId
    if (!isOther && !failures && !missing) return []
    const reason = like?.reason ?? 'The mapping makes it of several columns or of none.'
    return [{ change: isOther ? 'other' : 'refused', ...about, ...numbers, reason, notes: like?.notes ?? [] }]
  })
  const unusedColumns = new Set(comparison.unusedColumns)
  const fresh = proposal.filter(({ paths }) => paths.every((path) => unusedColumns.has(path))).map(newField)
  const fields = [...changes, ...fresh]
  const mayBeMissing = comparison.fields.flatMap(({ field }) => {
    const [path, ...others] = new Set(columnsIn(mapping[field]))
    const type = fieldAt(schema, splitKeyPath(field))?.type
    const column = profile.columns.find((each) => each.path === path)
    if (!column || !type || path === undefined || others.length > 0 || field === 'id') return []
    const words = openWords(column, type, plan.columns?.[path]?.missing)
    return words.length > 0 ? [{ field, path, words }] : []
  })
  return {
    version: typeVersion,
    rows: profile.rows,
    fields: fields.slice(0, maxFields),
    isCut: fields.length > maxFields || profile.isCut,
    mayBeMissing: mayBeMissing.slice(0, maxFields),
  }
}

const newField = (each: FieldEvidence): TypeChange => ({
  ...{ change: 'new', field: each.key, paths: each.paths, type: null, proposed: each.type },
  ...{ values: each.values, refused: each.values - each.parsed, missing: null },
  ...{ reason: each.reason, notes: each.notes, failing: each.failing.slice(0, maxFailing) },
})

/** Whether a field is the point of a place: the type of the column with its names is another, and right. */
const isFound = (value: MappingValue | undefined) =>
  isPlainObject(value) &&
  'transform' in value &&
  (value.transform === 'findPlace' || value.transform === 'findArea')

const isSame = (a: string[], b: string[]) => a.length === b.length && a.every((path) => b.includes(path))

import { getColumnName, columnType } from '#db/data-table.ts'
import type { Retype, TablePlan } from '#db/data-type-change.ts'
import type { Field, FieldSchema } from '#functions/shapes/field.ts'
import { isGeometryType } from '#functions/shapes/field.ts'
import { getKeyOrigins, type FieldChange, type Renames } from './fields.ts'

/** A data type as a change needs it. */
export interface Shape {
  schema: FieldSchema
  temporal: { primary: string } | null
}

/** The time zones for converting instants to calendar dates and back: by source id, and for all others. */
interface Zones {
  zones?: Record<string, string>
  zone?: string
}

/**
 * The changes of the table. `present`: its columns and their types. Columns of formerly removed fields still exist: one
 * is reused where its field returns with the same type, and dropped where its name is needed.
 */
export function buildTablePlan(
  before: Shape,
  after: Shape,
  renames: Renames,
  changes: FieldChange[],
  present: Map<string, string>,
  lenient: boolean,
  zones: Zones = {},
): TablePlan {
  const columns = new Set(Object.keys(before.schema).map(getColumnName))
  const isThere = (key: string | null): key is string => key !== null && present.has(getColumnName(key))
  const arriving = changes.filter(({ key, was, after: field }) => field !== null && was !== key)
  const isInTheWay = ({ key, was, after: field }: FieldChange) =>
    isThere(key) &&
    !columns.has(getColumnName(key)) &&
    (isThere(was) || (field !== null && present.get(getColumnName(key)) !== columnType(field)))
  const drops = changes.filter(({ after: field, was }) => field === null && isThere(was))
  const stays = changes.filter(({ was, after: field }) => field !== null && isThere(was))
  const retypes = stays
    .filter(({ kinds }) => kinds.includes('retyped'))
    .map((change) => toRetype(change, zones))
  const origins = getKeyOrigins(before.schema, after.schema, renames)
  // A field that was removed once and returns with its old values.
  const isBack = ({ key, was, after: field }: FieldChange) =>
    was === null && field !== null && !columns.has(getColumnName(key)) && isThere(key) && holdsShape(field)
  const own = changes.find(({ key }) => key === 'id')
  const hasOwnId = own?.after && (isThere(own.was) || (own.was === null && isThere('id')))
  return {
    drops: [...drops, ...arriving.filter(isInTheWay)].map(({ key }) => getColumnName(key)),
    renames: stays
      .filter(({ key, was }) => was !== key)
      .map(({ key, was }) => ({ from: getColumnName(was ?? key), to: getColumnName(key) })),
    retypes,
    adds: changes.flatMap(({ key, was, after: field }) =>
      field && !isThere(was) ? [{ name: getColumnName(key), type: columnType(field) }] : [],
    ),
    primary: after.temporal && getColumnName(after.temporal.primary),
    dates: hasDateChange(before, after, origins, retypes),
    shapes: findShapeFields(before.schema, after.schema, origins, retypes, changes.some(isBack)),
    id: hasOwnId && own.kinds.some((kind) => kind !== 'validation') ? findIdChange(own, retypes) : null,
    lenient,
  }
}

/** Whether a plan changes neither the table nor anything derived from its records. */
export function isIdle(plan: TablePlan): boolean {
  const { drops, renames, retypes, adds, dates, shapes, id } = plan
  return [drops, renames, retypes, adds].every(({ length }) => length === 0) && !dates && !shapes && !id
}

function toRetype({ key, was, before, after }: FieldChange, zones: Zones): Retype {
  const [from, to] = [before as Field, { ...(after as Field), ...zones }]
  return {
    old: getColumnName(was ?? key),
    name: getColumnName(key),
    was: columnType(from),
    type: columnType(to),
    from,
    to,
  }
}

function hasDateChange(
  before: Shape,
  after: Shape,
  origins: Map<string, string>,
  retypes: Retype[],
): boolean {
  const key = after.temporal?.primary
  const isSame = (key === undefined ? undefined : origins.get(key)) === before.temporal?.primary
  return !isSame || retypes.some(({ name }) => key !== undefined && name === getColumnName(key))
}

/**
 * Among geometry fields of the same rank the first in the schema is the record's: so a changed order can be a
 * change as well.
 */
function findShapeFields(
  before: FieldSchema,
  after: FieldSchema,
  origins: Map<string, string>,
  retypes: Retype[],
  isMore: boolean,
) {
  const holders = Object.entries(after).filter(([, field]) => holdsShape(field))
  const now = holders.flatMap(([key]) => origins.get(key) ?? [])
  const then = Object.keys(before).filter((key) => holdsShape(before[key] as Field))
  const isSame = now.length === then.length && now.every((key, i) => key === then[i])
  const isRetyped = holders.some(([key]) => retypes.some(({ name }) => name === getColumnName(key)))
  if (isSame && !isRetyped && !isMore) return null
  return holders.map(([key, field]) => ({ name: getColumnName(key), field }))
}

function holdsShape({ type, items, schema }: Field): boolean {
  if (type === 'array') return items !== undefined && holdsShape(items)
  return isGeometryType(type) || (type === 'object' && Object.values(schema ?? {}).some(holdsShape))
}

/** Values of other types are not used as ids: such a record keeps its id. */
const naming = ['text', 'number', 'boolean', 'date']

function findIdChange({ was, after }: FieldChange, retypes: Retype[]): TablePlan['id'] {
  if (!after || !naming.includes(after.type)) return null
  const name = getColumnName('id')
  const retype = retypes.find((each) => each.name === name)
  return retype ?? { old: getColumnName(was ?? 'id'), name, was: columnType(after), type: columnType(after) }
}

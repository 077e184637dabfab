import { isGeometryType } from '#functions/shapes/field.ts'
import { asGroup, parseFilter, printFilter, type FilterNode } from '#app/components/builder/filter-model.ts'
import { parseJoinItem, withJoins, type Join, type JoinTarget } from '#app/components/builder/join-target.ts'
import { isObject, without } from '#app/components/builder/json.ts'
import { removeColumn } from './query-edits.ts'
import { changeClauses, columnIn, type Clauses } from '#app/components/builder/query-model.ts'
import { call, callIn, fieldIn, type BuilderField } from '#app/components/builder/values.ts'

/** A condition between a joined record (`theirs`) and one of the query (`ours`). */
export type Pair =
  | { by: 'same'; theirs: string; ours: string }
  | { by: 'near'; theirs: string; ours: string; metres: unknown }
  | { by: 'touch'; theirs: string; ours: string }
  | { by: 'other'; node: FilterNode }

const parent = '~parent.'

/** Whether only records with a match count (inner join). */
export const isRequired = ({ required }: Join) => required === true || required === 'true'

/** The conditions of a join, combined with and; null if unsupported, which stay JSON. */
export function toPairs({ filters }: Join): Pair[] | null {
  if (filters === undefined || filters === null) return []
  if (!isObject(filters) && !Array.isArray(filters)) return null
  const group = asGroup(parseFilter(filters))
  return group.join === 'all' ? group.of.map(toPair) : null
}

function toPair(node: FilterNode): Pair {
  const other: Pair = { by: 'other', node }
  if (node.kind === 'rule') {
    const ours = oursIn(node.value)
    return node.operator === '$eq' && ours !== null ? { by: 'same', theirs: node.field, ours } : other
  }
  const functionCall = node.kind === 'condition' ? callIn(node.value) : null
  if (functionCall?.name === 'intersects')
    return matchPair(functionCall.args, (fields) => ({ by: 'touch', ...fields })) ?? other
  if (functionCall?.name !== 'lte' || functionCall.args.length !== 2) return other
  const far = callIn(functionCall.args[0])
  if (far?.name !== 'distance') return other
  return matchPair(far.args, (fields) => ({ by: 'near', ...fields, metres: functionCall.args[1] })) ?? other
}

function matchPair(args: unknown[], make: (fields: { theirs: string; ours: string }) => Pair): Pair | null {
  const [theirs, ours] = [fieldIn(args[0]), oursIn(args[1])]
  return args.length === 2 && theirs !== null && ours !== null ? make({ theirs, ours }) : null
}

const oursIn = (value: unknown) => {
  const path = fieldIn(value)
  return path?.startsWith(parent) ? path.slice(parent.length) : null
}

/** A join with other conditions. Fields are an object; functions, and several conditions of one field, are a list. */
export function withPairs(join: Join, pairs: readonly Pair[]): Join {
  if (pairs.length === 0) return without(join, 'filters') as Join
  const of = pairs.map(toFilterNode)
  const [only] = of
  const node: FilterNode = only && of.length === 1 ? only : { kind: 'group', join: 'all', form: 'object', of }
  return { ...join, filters: printFilter(node) }
}

function toFilterNode(pair: Pair): FilterNode {
  if (pair.by === 'other') return pair.node
  const ours = { field: parent + pair.ours }
  if (pair.by === 'same')
    return { kind: 'rule', field: pair.theirs, operator: '$eq', value: ours, isPlain: true }
  const both = [{ field: pair.theirs }, ours]
  const value =
    pair.by === 'touch' ? call('intersects', both) : call('lte', [call('distance', both), pair.metres])
  return { kind: 'condition', value }
}

/** Whether a field is a geometry of records; `geometry` itself is listed for all data, even without one. */
const isShape = ({ type }: Pick<BuilderField, 'type'>) => isGeometryType(type)

/** The fields that one side of a condition can have: geometries, or comparable values. */
export function pairable(by: Pair['by'], fields: readonly BuilderField[]): BuilderField[] {
  return by === 'same'
    ? fields.filter((field) => !isShape(field) && !['array', 'object', 'geometry'].includes(field.type))
    : fields.filter(isShape)
}

/**
 * The most likely condition between two kinds of records: fields with equal key and type, else equal name and type, else positions
 * within 100 metres, else the first texts. Null if nothing matches.
 */
export function likelyPair(theirs: readonly BuilderField[], ours: readonly BuilderField[]): Pair | null {
  // Ids of two kinds of records are equal only by chance.
  const pickDataFields = (fields: readonly BuilderField[]) =>
    fields.filter(({ field }) => field.startsWith('data.') && field !== 'data.id')
  const plain = pairable('same', pickDataFields(theirs))
  const others = pairable('same', pickDataFields(ours))
  const find = (fits: (a: BuilderField, b: BuilderField) => boolean): Pair | null => {
    for (const a of plain) {
      const b = others.find((each) => each.type === a.type && fits(a, each))
      if (b) return { by: 'same', theirs: a.field, ours: b.field }
    }
    return null
  }
  const isText = (a: BuilderField) => a.type === 'text'
  const textPair =
    find((a, b) => isText(a) && a.field === b.field) ??
    find((a, b) => isText(a) && a.name.toLowerCase() === b.name.toLowerCase())
  if (textPair) return textPair
  const [shape, place] = [pairable('near', theirs)[0], pairable('near', ours)[0]]
  if (shape && place) return { by: 'near', theirs: shape.field, ours: place.field, metres: 100 }
  return find((a, b) => a.field === b.field) ?? find(isText)
}

/** A new join on the most likely condition; `name`: of the joined data. */
export function newJoin(
  target: JoinTarget,
  name: string,
  joins: readonly unknown[],
  theirs: readonly BuilderField[],
  ours: readonly BuilderField[],
): Join {
  const pair = likelyPair(theirs, ours)
  return withPairs({ alias: chooseJoinAlias(name, joins), ...target }, pair ? [pair] : [])
}

/** An unused valid alias. */
export function chooseJoinAlias(name: string, joins: readonly unknown[]): string {
  const word = name
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .slice(0, 3)
    .map((part, i) => (i ? part.charAt(0).toUpperCase() + part.slice(1) : part.toLowerCase()))
    .join('')
    .slice(0, 40)
  const usedAliases = new Set(['parent', ...joins.map((part) => (isObject(part) ? part.alias : ''))])
  const base = word || 'joined'
  for (let n = 1; ; n++) {
    const alias = n === 1 ? base : `${base}${n}`
    if (!usedAliases.has(alias)) return alias
  }
}

/** Whether anything in a query besides the join itself uses its fields. */
export function mentions(clauses: Clauses, alias: string): boolean {
  const { columns, groupings, orderings, filters, unshownParts } = clauses
  return names([columns, groupings, orderings, unshownParts, filters && printFilter(filters)], alias)
}

function names(json: unknown, alias: string): boolean {
  if (typeof json === 'string') return json.startsWith(`~${alias}.`)
  if (Array.isArray(json)) return json.some((each) => names(each, alias))
  return (
    isObject(json) && Object.entries(json).some(([key, value]) => names(key, alias) || names(value, alias))
  )
}

/** The clauses without a join and everything that uses its fields. */
export function removeJoin(clauses: Clauses, joins: readonly unknown[], index: number): Clauses {
  const { alias } = parseJoinItem(joins[index]) ?? { alias: '' }
  let next = withJoins(clauses, joins.toSpliced(index, 1))
  for (let i = next.columns.length - 1; i >= 0 && alias !== ''; i--)
    if (columnIn(next.columns[i]) && names(next.columns[i], alias)) next = removeColumn(next, i)
  const isOther = (part: unknown) => alias === '' || !names(part, alias)
  const filters = next.filters && prune(next.filters, (node) => isOther(printFilter(node)))
  const clauseOrder = filters ? next.notices : next.notices.filter((key) => key !== 'filters')
  return changeClauses(
    { ...next, notices: clauseOrder },
    {
      filters,
      ...(next.groupings.every(isOther) ? {} : { groupings: next.groupings.filter(isOther) }),
      ...(next.orderings.every(isOther) ? {} : { orderings: next.orderings.filter(isOther) }),
    },
  )
}

/** The conditions without unwanted ones; null if none are left. */
function prune(node: FilterNode, isWanted: (node: FilterNode) => boolean): FilterNode | null {
  if (node.kind === 'not') {
    const of = prune(node.of, isWanted)
    return of && { kind: 'not', of }
  }
  if (node.kind !== 'group') return isWanted(node) ? node : null
  const of = node.of.flatMap((each) => prune(each, isWanted) ?? [])
  return of.length ? { ...node, of } : null
}

/** The clauses restricted to records with a match: the join becomes required, and a condition on it enforces that. */
export function withPartner(clauses: Clauses, alias: string): Clauses {
  const group = asGroup(clauses.filters)
  const rule: FilterNode = {
    kind: 'rule',
    field: `~${alias}.id`,
    operator: '$ne',
    value: null,
    isPlain: false,
  }
  const filters: FilterNode =
    group.join === 'all'
      ? { ...group, of: [...group.of, rule] }
      : { kind: 'group', join: 'all', form: 'object', of: [group, rule] }
  const joins = Array.isArray(clauses.joins)
    ? (clauses.joins as unknown[]).map((part) =>
        parseJoinItem(part)?.alias === alias ? { ...(part as Join), required: true } : part,
      )
    : clauses.joins
  return changeClauses(clauses, { joins, filters })
}

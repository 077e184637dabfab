import { relations, type IncludedIn } from './includes/table.ts'
import type { Relation, Scope } from './includes/relation.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Include } from '#functions/shapes/includes.ts'
import { filterColumns } from '#functions/engine/query/index.ts'

type Bag = Record<string, unknown>

/**
 * Adds the requested related rows to rows of a noun, under the name of the relation: a list, or one or null.
 * One statement per include and level, however many rows there are. Names that the noun does not have are
 * ignored. Failure `invalid` for a filter on a column that the related noun does not have.
 */
export async function withIncludes<Noun extends keyof typeof relations, Row extends object>(
  ctx: Context,
  noun: Noun,
  rows: Row[],
  includes: Include[] | undefined,
  scope: Scope = {},
): Promise<(Row & IncludedIn<Noun>)[]> {
  return (await relateRows(ctx, noun, rows as Bag[], includes, scope)) as (Row & IncludedIn<Noun>)[]
}

async function relateRows(
  ctx: Context,
  noun: string,
  rows: Bag[],
  includes: Include[] | undefined,
  scope: Scope,
) {
  const nounRelations = (relations as Record<string, Record<string, Relation>>)[noun]
  if (!nounRelations || !includes?.length) return rows
  const byResource = new Map(includes.map((include) => [include.resource, include]))
  const matches = await Promise.all(
    [...byResource.values()].flatMap((include) => {
      const relation = Object.hasOwn(nounRelations, include.resource)
        ? nounRelations[include.resource]
        : undefined
      return relation ? relatedBy(ctx, relation, include, rows, scope) : []
    }),
  )
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(matches.map(({ name, getRelatedRows }) => [name, getRelatedRows(row)])),
  }))
}

/** Loads the related rows of all rows, and returns the function that looks up those of one row. */
async function relatedBy(ctx: Context, relation: Relation, include: Include, rows: Bag[], scope: Scope) {
  const { resource: name, filters, limit, path, attributes } = include
  const { issues } = filterColumns(filters, relation.columns)
  if (issues.length)
    throw new Failure('invalid', {
      issues: issues.map(({ path: at, message }) => ({
        path: ['includes', ...path, 'filters', ...at],
        message,
      })),
    })
  const condition = { input: filters, columns: relation.columns }
  const keys = [
    ...new Set(
      rows.flatMap((row) => (typeof row[relation.by] === 'string' ? [row[relation.by] as string] : [])),
    ),
  ]
  const matches = keys.length ? await relation.load(ctx, { ...scope, keys, rows, condition, limit }) : []
  const bare = matches.map(({ row }) => row as Bag)
  const whole = await relateRows(ctx, relation.noun, bare, include.includes, scope)
  const names = include.includes.map(({ resource }) => resource)
  const groups = new Map<string, Bag[]>()
  matches.forEach(({ of }, i) => {
    const row = pickAttributes(whole[i] ?? {}, attributes && [...attributes, ...names])
    const group = groups.get(of)
    if (group) group.push(row)
    else groups.set(of, [row])
  })
  const getRelatedRows = (row: Bag): unknown => {
    const group = groups.get(String(row[relation.by])) ?? []
    return relation.isMany ? group : (group[0] ?? null)
  }
  return { name, getRelatedRows }
}

/** The row with the requested attributes only; always with the id. */
function pickAttributes<Row extends object>(row: Row, attributes: string[] | null): Partial<Row> {
  if (!attributes) return row
  const entries = Object.entries(row).filter(([key]) => key === 'id' || attributes.includes(key))
  return Object.fromEntries(entries) as Partial<Row>
}

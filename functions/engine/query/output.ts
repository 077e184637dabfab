import {
  aggregateFunctions,
  type AggregateFunction,
  type Output,
  type OutputField,
} from '#functions/shapes/analytics.ts'
import { pickFieldKnowledge } from '#functions/shapes/field.ts'
import type { ParsedAggregation, ParsedQuery, Value } from './types.ts'

/** Describes the answer of a query. Groupings and orderings that are not among its columns are left out. */
export function describe(query: ParsedQuery): Output {
  const { aggregations, groupings, orderings } = query
  const fields = aggregations.map((each): [string, OutputField] => [each.alias, describeAggregation(each)])
  // A value of unknown type, such as null, has no description.
  const typedFields = fields.filter(([, { type }]) => type !== undefined)
  return {
    // fromEntries creates an own property even for an alias such as __proto__.
    schema: Object.fromEntries(typedFields),
    aggregations: aggregations.map(({ alias, value }, i) => ({
      ...{ alias, name: fields[i]?.[1].name ?? alias },
      ...getAggregateFunction(value),
    })),
    groupings: groupings.flatMap(({ aggregation }) => findAlias(aggregations, aggregation)),
    orderings: orderings.flatMap(({ aggregation, direction }) =>
      findAlias(aggregations, aggregation).map(({ alias }) => ({ alias, direction })),
    ),
  }
}

/** The aggregate function of a value; none for expressions with several, or without one. */
function getAggregateFunction(value: Value): { function?: AggregateFunction } {
  const name =
    value.kind === 'call' ? aggregateFunctions.find((each) => each === value.function.key) : undefined
  return name ? { function: name } : {}
}

function findAlias(
  aggregations: readonly ParsedAggregation[],
  index: number | undefined,
): { alias: string }[] {
  const match = index === undefined ? undefined : aggregations[index]
  return match ? [{ alias: match.alias }] : []
}

/** The first type of a value is its type; text that may be a number or a date counts as that. */
function describeAggregation({ alias, value, name, notes }: ParsedAggregation): OutputField {
  const type = value.types[0]
  return withoutEmpty({
    name: name ?? type?.name ?? toTitle(alias),
    notes: notes ?? type?.notes,
    type: type?.type,
    items: type?.items,
    measurement: type?.measurement,
    precision: type?.precision,
    validation: type?.validation,
    ...(type && pickFieldKnowledge(type)),
  })
}

function withoutEmpty(field: OutputField): OutputField {
  const { name, ...rest } = field
  const present = Object.entries(rest).filter(([, value]) => value !== undefined && value !== '')
  return { name, ...Object.fromEntries(present) }
}

/** 'maxStart' as 'Max Start'. */
function toTitle(alias: string): string {
  const words = alias.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(' ')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}

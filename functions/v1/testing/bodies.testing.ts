import * as v from 'valibot'
import type { Route } from '#functions/api/routes.ts'

/** Required options by verb. */
const requiredQueries: Record<string, string> = {
  values: 'field=data.type',
  cluster: 'zoom=3',
  analytics: 'aggregations[0][alias]=n&aggregations[0][value][function]=count',
}

/** A minimal valid query string, with `?`, or ''. */
export function queryFor({ name, verb }: Route): string {
  if (name.includes('insight.') || name.includes('observer.')) return ''
  const query = requiredQueries[verb]
  return query ? `?${query}` : ''
}

/** A minimal valid body; undefined if the endpoint takes none. */
export function bodyFor(route: Route): unknown {
  const { data } = route.endpoint
  if (!data) return undefined
  if (route.verb === 'validate') return {}
  return smallest(data as unknown as Shape)
}

/** The members of a valibot schema that are needed to generate a value. */
export interface Shape {
  type: string
  entries?: Record<string, Shape>
  options?: unknown[]
  wrapped?: Shape
  item?: Shape
  items?: Shape[]
  literal?: unknown
  pipe?: { kind: string; type: string; requirement?: unknown }[]
}

/** The smallest valid value of a schema: optional members are omitted. Texts follow the checks. */
function smallest(shape: Shape): unknown {
  switch (shape.type) {
    case 'object':
    case 'strict_object':
    case 'loose_object': {
      const entries = Object.entries(shape.entries ?? {})
      const required = entries.filter(
        ([, part]) => !['optional', 'exact_optional', 'nullish'].includes(part.type),
      )
      return Object.fromEntries(required.map(([key, part]) => [key, smallest(part)]))
    }
    case 'picklist':
    case 'enum':
      return shape.options?.[0]
    case 'literal':
      return shape.literal
    case 'union':
    case 'variant':
      return smallest(shape.options?.[0] as Shape)
    case 'nullable':
    case 'optional':
    case 'nullish':
      return shape.wrapped && smallest(shape.wrapped)
    case 'array':
      return shape.item ? [smallest(shape.item)] : []
    case 'number':
      return Number(shape.pipe?.find(({ type }) => type === 'min_value')?.requirement ?? 1)
    case 'boolean':
      return true
    case 'string':
      return textFor(shape)
    default:
      return {}
  }
}

const texts = [
  'fresh',
  'fresh@example.com',
  'https://example.com/',
  '2026-01-01T00:00:00.000Z',
  '/domains',
  '#ec7945',
  'image/png',
  'P1D',
  'data.example.org',
  'UTC',
  'long enough for it',
]

function textFor(shape: Shape): string {
  return texts.find((text) => v.is(shape as unknown as v.GenericSchema, text)) ?? 'fresh'
}

import type { Route } from '#functions/api/routes.ts'
import type { Shape } from './bodies.testing.ts'
import { queryFor } from './bodies.testing.ts'

const includes = [
  'sources',
  'dataType',
  'dataTypes',
  'place',
  'places',
  'contents',
  'insights',
  'insight',
  'collections',
  'texts',
  'role',
  'lastJob',
  'boundary',
  'area',
  'users',
  'importers',
  'jobs',
  'alerts',
]
const fields = ['data.type', 'data.id', 'id', 'sourceId', 'data.minutes']

/** The option names of an endpoint. */
export function listOptionNames({ endpoint }: Route): string[] {
  return Object.keys((endpoint.options as Shape | undefined)?.entries ?? {})
}

const bracketed = (name: string, value: string) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`

/** Query strings that use as many options of an endpoint as possible, the plain one first. */
export function questionsFor(route: Route, isFull: boolean): string[] {
  const has = new Set(listOptionNames(route))
  const base = queryFor(route)
  const and = (query: string) => (base ? `${base}&${query}` : `?${query}`)
  const isData = has.has('exclusions') || has.has('joins')
  const queries = [base]
  if (has.has('includes')) {
    queries.push(and(includes.map((name, i) => bracketed(`includes[${i}]`, name)).join('&')))
    if (isFull)
      queries.push(
        and(
          includes
            .map(
              (name, i) =>
                `${bracketed(`includes[${i}][resource]`, name)}&${bracketed(`includes[${i}][attributes]`, 'id,name,notes,settings,token,hash,secret,secrets,email')}`,
            )
            .join('&'),
        ),
      )
  }
  if (has.has('maxVisibility')) queries.push(and('maxVisibility=private'))
  if (has.has('visibility')) queries.push(and('visibility=private'))
  if (has.has('search')) queries.push(and('search=cnry'))
  if (has.has('offset')) queries.push(and('limit=1&offset=1'))
  if (has.has('filters') && !isData) queries.push(and(bracketed('filters[0][$or][0][id][$ne]', 'x')))
  if (has.has('orderings') && !isData)
    queries.push(and('orderings[0][value][field]=name&orderings[0][direction]=desc'))
  if (isData) {
    queries.push(and('search=cnry'), and(bracketed('filters[data.minutes][$gte]', '0')))
    queries.push(and(`${bracketed('orderings[0][value][field]', 'data.type')}&orderings[0][direction]=desc`))
    if (isFull) queries.push(and('within[xmin]=-180&within[ymin]=-89&within[xmax]=180&within[ymax]=89'))
  }
  // The required options may be an aggregation, which would conflict.
  if (has.has('joins'))
    queries.push(...buildJoinQueries(isFull, has.has('aggregations')).map((joined) => `?${joined}`))
  if (has.has('aggregations')) {
    const aggregate = (name: string) =>
      and(
        `${bracketed('aggregations[0][alias]', 'x')}&${bracketed('aggregations[0][value][function]', name)}&${bracketed('aggregations[0][value][arguments][0][field]', 'data.minutes')}`,
      )
    queries.push(aggregate('max'))
    queries.push(
      and(
        `${bracketed('groupings[0][field]', 'data.type')}&aggregations[0][alias]=x&aggregations[0][value][function]=count`,
      )
        .replace(base, '?')
        .replace('?&', '?'),
    )
  }
  if (has.has('format'))
    for (const format of isFull ? ['csv', 'geojson', 'ndjson', 'json', 'xlsx', 'kml'] : ['csv', 'geojson'])
      queries.push(and(`format=${format}`))
  if (route.verb === 'values')
    for (const field of isFull ? fields : fields.slice(0, 2)) queries.push(`?field=${field}&search=cnry`)
  if (has.has('zoom')) queries.push('?zoom=0', '?zoom=22')
  return [...new Set(queries)]
}

/** Sources and data types to join: public and private, of this place and of another. */
const joinable = ['sourceId=inner', 'sourceId=secret', 'dataTypeId=call', 'dataTypeId=spot']
const moreJoinable = ['mine', 'inner-spots', 'secret-spots', 'far-open', 'far-inner', 'far-secret-spots']

/** Queries that join what the actor may not see: records, and texts where the endpoint groups. */
function buildJoinQueries(isFull: boolean, groups: boolean): string[] {
  const joinTargets = [...joinable, ...(isFull ? moreJoinable.map((id) => `sourceId=${id}`) : [])]
  return joinTargets.flatMap((each) => {
    const [name = '', id = ''] = each.split('=')
    const join = `${bracketed('joins[0][alias]', 'j')}&${bracketed(`joins[0][${name}]`, id)}`
    if (!groups) return [join]
    const value = bracketed('aggregations[0][value][field]', '~j.data.type')
    return [join, `${join}&aggregations[0][alias]=x&${value}&groupings[0][field]=x`]
  })
}

/** Query strings that search for a text. */
export function searchesFor(route: Route, text: string): string[] {
  const has = new Set(listOptionNames(route))
  const isData = has.has('exclusions') || has.has('joins')
  if (route.verb === 'values') return [`?field=data.type&search=${text}`]
  const queries: string[] = []
  if (has.has('search')) queries.push(`?search=${text}`)
  if (isData) queries.push(`?${bracketed('filters[data.type]', text)}`)
  else if (has.has('filters'))
    queries.push(`?${bracketed('filters[name]', text)}`, `?${bracketed('filters[title]', text)}`)
  return queries
}

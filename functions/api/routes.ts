import { isEndpoint, type Endpoint, type Tree } from './endpoint.ts'

type Method = 'get' | 'post' | 'patch' | 'delete'

/** One endpoint with what follows from its name. */
export interface Route {
  /** Where it stands in the tree: place.source.findById. */
  name: string
  /** Its own name, the last word. */
  verb: string
  method: Method
  /** With parameters as `:placeId`; without the base. */
  path: string
  /** Whether it acts on one instance. */
  instance: boolean
  endpoint: Endpoint
}

/** The verbs every noun may have. Other names say their method themselves. */
const verbs: Record<string, { method: Method; one: boolean }> = {
  find: { method: 'get', one: false },
  create: { method: 'post', one: false },
  findById: { method: 'get', one: true },
  updateById: { method: 'patch', one: true },
  deleteById: { method: 'delete', one: true },
}

/** Nouns whose plural is not the noun with an s. */
const plurals: Record<string, string> = {
  boundary: 'boundaries',
  access: 'access',
  activity: 'activities',
  delivery: 'deliveries',
  datum: 'data',
  assets: 'assets',
  sso: 'sso',
  operations: 'operations',
}

/** Names that only hold other names together: no plural, no id. */
const folders = new Set(['core', 'auth'])

/**
 * Every endpoint of a tree. Names of their own come before the verbs, so `/insights/functions` is never taken for
 * an id; what is nested comes after both. A name that begins with a dot is a file of one instance: `.svg` of an insight
 * is `/insights/:insightId.svg`.
 */
export function routes(tree: Tree): Route[] {
  return Object.entries(tree).flatMap(([noun, node]) =>
    isEndpoint(node) ? [routeOf(noun, node, '', ':id', '')] : branch(node, noun, '', ''),
  )
}

function branch(tree: Tree, noun: string, parentPath: string, parentName: string): Route[] {
  const isFolder = folders.has(noun)
  const name = `${parentName}${noun}.`
  const collection = `${parentPath}/${isFolder ? noun : (plurals[noun] ?? `${noun}s`)}`
  const instance = isFolder ? collection : `${collection}/:${noun}Id`
  const entries = Object.entries(tree)
  const own = entries.flatMap(([verb, node]) =>
    isEndpoint(node) ? [routeOf(verb, node, collection, instance, name)] : [],
  )
  return [
    ...own.filter((route) => !Object.hasOwn(verbs, route.verb)),
    ...own.filter((route) => Object.hasOwn(verbs, route.verb)),
    ...entries.flatMap(([child, node]) => (isEndpoint(node) ? [] : branch(node, child, instance, name))),
  ]
}

function routeOf(
  verb: string,
  endpoint: Endpoint,
  collection: string,
  instance: string,
  name: string,
): Route {
  const standard = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  const own = verb.replace(/^\./, '')
  const one = standard?.one ?? endpoint.http?.one ?? false
  const base = one ? instance : collection
  return {
    name: `${name}${own}`,
    verb: own,
    method: standard?.method ?? endpoint.http?.method ?? 'post',
    path: standard ? base : own === verb ? `${base}/${verb}` : `${base}${verb}`,
    instance: one,
    endpoint,
  }
}

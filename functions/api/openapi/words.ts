import type { Route } from '../routes.ts'
import { operations } from '#functions/domain/access/operations.ts'
import { builtInRoles, rolesFor, table, type BuiltInRole } from '#functions/domain/access/roles.ts'

/** The noun of a route with its parents, such as `place.source`; `api` at the root. */
export function getRouteNoun({ name, verb }: Pick<Route, 'name' | 'verb'>): string {
  return name === verb ? 'api' : name.slice(0, -verb.length - 1)
}

/** The summary of a route: its own, or one made of its name. */
export function summarizeRoute(route: Route): string {
  if (route.endpoint.summary) return route.endpoint.summary
  const noun = words(getRouteNoun(route).split('.').at(-1) ?? '')
  const standard: Record<string, string> = {
    find: `List the ${words(route.path.split('/').at(-1) ?? '')} that the asker may see`,
    findById: `One ${noun}`,
    create: `Make a new ${noun}`,
    updateById: `Change one ${noun}`,
    deleteById: `Delete one ${noun}`,
  }
  return standard[route.verb] ?? capital(words(route.verb))
}

/** A sentence that says who may call a route; roles by their names. */
function describeCallers(route: Route): string {
  const who: readonly string[] = table[route.endpoint.allow]
  if (who.includes('anyone')) return 'Open to anyone; what it shows depends on who asks.'
  if (who.includes('signedIn')) return 'For everyone who is signed in.'
  const roles = rolesFor(route.endpoint.allow).map((role: BuiltInRole) => builtInRoles[role].name)
  const others = [
    ...(who.includes('self') ? ['the person it is about'] : []),
    ...(who.includes('sourceKey') ? ['the write key of the source'] : []),
  ]
  const all = [...roles, ...others]
  return `For: ${all.join(', ')}.`
}

/** The description of a route: the sentence of its operation, and who may call it. */
export function describeRoute(route: Route): string {
  const { allow } = route.endpoint
  return `${operations[allow][1]} (\`${allow}\`). ${describeCallers(route)}`
}

const words = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

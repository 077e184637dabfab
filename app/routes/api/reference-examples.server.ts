import { fillPath, queryText } from '#app/client/api/query.ts'
import type { Example } from '#functions/api/openapi/types.ts'
import type { Route } from '#functions/api/routes.ts'

/** An example as a curl command for this origin. */
export function formatCurlCommand(
  { path, method, endpoint }: Route,
  example: Example,
  base: string,
  isOpen: boolean,
): string {
  const query = queryText(example.options ?? {})
  const url = `${base}${fillPath(path, example.params)}${query && `?${query}`}`
  const parts = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${url}'`,
    ...(isOpen ? [] : [`-H "Authorization: Bearer $KEY"`]),
    ...(endpoint.data && example.data !== undefined
      ? [
          `-H 'Content-Type: application/json'`,
          `-d '${JSON.stringify(example.data).replaceAll("'", `'\\''`)}'`,
        ]
      : []),
  ]
  return parts.join(' \\\n  ')
}

/** An example as a call of the client, whose names are those of the endpoint tree. */
export function formatClientCall({ name }: Route, { params, options, data }: Example): string {
  const request = { ...params, ...(options && { options }), ...(data !== undefined && { data }) }
  const literalText = Object.keys(request).length ? literal(request) : ''
  return `await api.${name}(${literalText})`
}

/** A value as a JavaScript literal: keys unquoted where possible. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:')
}

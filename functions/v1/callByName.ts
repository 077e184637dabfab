import { call } from '#functions/api/call.ts'
import { isEndpoint, type Endpoint, type Tree } from '#functions/api/endpoint.ts'
import type { Context } from '#functions/context.ts'

/**
 * Calls the endpoint of a name ("place.source.create") as the actor of the context, with the permission and the shapes that it has for
 * everyone. The tree is fetched when it is needed: whoever calls is a part of it.
 */
export async function callByName<Result = { id: string }>(
  ctx: Context,
  name: string,
  params: Record<string, string>,
  data: unknown,
): Promise<Result> {
  const { v1 } = await import('./index.ts')
  const target = name
    .split('.')
    .reduce<Endpoint | Tree | undefined>(
      (node, part) => (node && !isEndpoint(node) ? node[part] : undefined),
      v1,
    )
  if (!target || !isEndpoint(target)) throw new Error(`There is no endpoint ${name}.`)
  return (await call(target, ctx, { params, data })) as Result
}

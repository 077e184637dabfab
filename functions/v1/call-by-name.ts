import { call } from '#functions/api/call.ts'
import { isEndpoint, type Endpoint, type Tree } from '#functions/api/endpoint.ts'
import type { Context } from '#functions/context.ts'

/**
 * Calls an endpoint by name ("place.source.create") as the context's actor, with its usual permission and validation. The tree is
 * imported lazily, as callers are part of it.
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

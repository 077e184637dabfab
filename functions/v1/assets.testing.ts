import { is, safeParse } from 'valibot'
import { v1 } from './index.ts'
import { call } from '#functions/api/call.ts'
import { routes, type Route } from '#functions/api/routes.ts'
import type { Context } from '#functions/context.ts'
import { serveMedia } from '#functions/edge/media/serve.ts'
import { settings } from '#db/worlds/world.ts'

/** All endpoints by name. */
export const byName = new Map(routes(v1).map((route): [string, Route] => [route.name, route]))

export const oakton = { assetsId: 'oakton' }

export interface CreatedAsset {
  id: string
  url: string
  version: number
}

export interface Target {
  url: string
  fileId: string
  headers: Record<string, string>
}

/** Calls an endpoint, and checks the result against its schema. */
export async function ask<Result = Record<string, unknown>>(
  ctx: Context,
  name: string,
  params: Record<string, string>,
  input: { data?: unknown; options?: unknown } = {},
): Promise<Result> {
  const { endpoint } = byName.get(name) as Route
  const result: unknown = await call(endpoint, ctx, { params, ...input })
  const wire: unknown = JSON.parse(JSON.stringify(result))
  if (endpoint.returns && is(endpoint.returns, wire)) return wire as Result
  const { issues } = endpoint.returns ? safeParse(endpoint.returns, wire) : {}
  throw new Error(`${name} answers otherwise than it says: ${JSON.stringify(issues)}`)
}

/** Requests a path under `/m/`, as the Worker does. */
export function media(ctx: Context, path: string, init?: RequestInit): Promise<Response> {
  const request = new Request(new URL(path, 'http://localhost:8787'), init)
  const { files, hubs, now } = ctx
  return serveMedia(request, {
    files,
    hubs,
    authSecret: settings.authSecret,
    now,
    fetchImage: null,
  }) as Promise<Response>
}

/** Uploads the bytes of an announced file. */
function send(ctx: Context, { url, headers }: Omit<Target, 'fileId'>, content: Uint8Array<ArrayBuffer>) {
  const uploadHeaders = { ...headers, 'content-length': String(content.length) }
  return media(ctx, url, { method: 'PUT', body: content, headers: uploadHeaders })
}

/** Announces, uploads and confirms a file of a library. */
export async function add(
  ctx: Context,
  content: Uint8Array<ArrayBuffer>,
  more: object = {},
  library: Record<string, string> = oakton,
): Promise<CreatedAsset> {
  const data = { name: 'a.png', type: 'image/png', size: content.length }
  const target = await ask<Target>(ctx, 'assets.file.getUploadWriteUrl', library, { data })
  const { status } = await send(ctx, target, content)
  if (status !== 200) throw new Error(`The file was not taken: ${status}`)
  return ask<CreatedAsset>(ctx, 'assets.file.create', library, { data: { fileId: target.fileId, ...more } })
}

import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { compare } from './story/compare.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from '#app/server/load.server.ts'
import { loadEditorBlocks, loadPage, requireWriter } from './page.server.ts'

/** The versions of a page, and the one in the URL (`?version=`); else the newest. */
export async function versionsScreen(args: LoaderFunctionArgs) {
  await requireWriter(args)
  const versionParam = new URL(args.request.url).searchParams.get('version') ?? ''
  const [{ page, contents }, { versions }] = await Promise.all([
    loadPage(args),
    load(args, { versions: { endpoint: v1.place.page.version.find, options: { limit: 1000 } } }),
  ])
  const { contents: _contents, ...facts } = page as typeof page & { contents?: unknown }
  const versionId = versionParam === newest ? versions.results[0]?.id : versionParam
  return {
    page: facts,
    versions: versions.results,
    isTooLarge: versions.meta.isTooLarge,
    selected: versionId === undefined ? null : await loadVersion(args, versionId, { ...facts, contents }),
  }
}

/** The value of `?version=` for the newest one. */
const newest = 'newest'

async function loadVersion(args: LoaderFunctionArgs, versionId: string, now: Parameters<typeof compare>[1]) {
  const { version } = await load(args, {
    version: { endpoint: v1.place.page.version.findById, params: { versionId } },
  })
  const { contents, ...facts } = version
  const parts = contents.map((content, position) => ({ ...content, position, version: 1 }))
  return { version: facts, blocks: await loadEditorBlocks(args, parts), comparison: compare(version, now) }
}

import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { Findings } from '#app/components/shell/palette.tsx'
import { commandsAt } from '#app/server/commands.server.ts'
import { load } from '#app/server/load.server.ts'
import { openedLast, type OpenedThing } from '#app/server/recent.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

/**
 * The data of the command palette, which is also a page: a few matches of each kind by name or notes; the commands available at the
 * screen `at`; and, without a search, recently opened things.
 */
export async function findScreen(args: LoaderFunctionArgs): Promise<Findings & { search: string }> {
  guard(args, 'withPlace')
  const { searchParams } = new URL(args.request.url)
  const search = searchParams.get('search')?.trim().slice(0, 200) ?? ''
  const commands = await commandsAt(args, searchParams.get('at') ?? '')
  if (search.length < 2) return { search, found: [], commands, opened: await openedLast(args) }
  return { search, found: await findByName(args, search), commands, opened: [] }
}

async function findByName(args: LoaderFunctionArgs, search: string): Promise<OpenedThing[]> {
  const options = { search, limit: 5 }
  const { sources, insights, collections, pages, dataTypes } = await load(args, {
    sources: { endpoint: v1.place.source.find, options },
    insights: { endpoint: v1.place.insight.find, options },
    collections: { endpoint: v1.place.collection.find, options },
    pages: { endpoint: v1.place.page.find, options },
    dataTypes: { endpoint: v1.place.dataType.find, options },
  })
  const thingOf =
    (kind: string, path: string) =>
    ({ id, name }: { id: string; name: string }): OpenedThing => ({ id, to: `${path}/${id}`, name, kind })
  return [
    ...sources.results.map(thingOf('Source', '/sources')),
    ...insights.results.map(thingOf('Insight', '/insights')),
    ...pages.results.map(({ id, title, type }) => ({
      id,
      to: `/pages/${type}/${id}`,
      name: title,
      kind: 'Page',
    })),
    ...collections.results.map(thingOf('Collection', '/collections')),
    ...dataTypes.results.map(thingOf('Data type', '/types')),
  ]
}

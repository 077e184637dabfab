import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { ClientLoaderFunctionArgs } from '@remix-run/react'
import type { PaletteHit } from '#app/components/shell/palette.tsx'
import { load } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** What of the place has words in its name or notes, a few of each kind: for the command palette. */
export async function loader(args: LoaderFunctionArgs): Promise<{ found: PaletteHit[] }> {
  guard(args, 'withPlace')
  const search = new URL(args.request.url).searchParams.get('search')?.trim().slice(0, 200) ?? ''
  if (search.length < 2) return { found: [] }
  const options = { search, limit: 5 }
  const { sources, insights, collections, pages, dataTypes } = await load(args, {
    sources: { endpoint: v1.place.source.find, options },
    insights: { endpoint: v1.place.insight.find, options },
    collections: { endpoint: v1.place.collection.find, options },
    pages: { endpoint: v1.place.page.find, options },
    dataTypes: { endpoint: v1.place.dataType.find, options },
  })
  const named =
    (kind: string, path: string) =>
    ({ id, name }: { id: string; name: string }): PaletteHit => ({ id, to: `${path}/${id}`, name, kind })
  return {
    found: [
      ...sources.results.map(named('Source', '/sources')),
      ...insights.results.map(named('Insight', '/insights')),
      ...pages.results.map(({ id, title, type }) => ({
        id,
        to: `/pages/${type}/${id}`,
        name: title,
        kind: 'Page',
      })),
      ...collections.results.map(named('Collection', '/collections')),
      ...dataTypes.results.map(named('Data type', '/types')),
    ],
  }
}

/** Where nothing can be asked nothing is found: the screen behind the palette stays. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  try {
    return await serverLoader<typeof loader>()
  } catch (thrown) {
    if (request.signal.aborted) throw thrown
    return { found: [] }
  }
}

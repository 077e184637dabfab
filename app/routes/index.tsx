import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { HubHome } from '#app/components/hub/hub-home.tsx'
import { HubPage } from '#app/routes/modes/hub-page.tsx'
import { SearchShell } from '#app/components/hub/search-shell.tsx'
import { hubHome } from '#app/server/hub-home.server.ts'
import { hubSearch } from '#app/server/hub-search.server.ts'

/** A hub's home; in the workspace the way to /explore (signed out or no place) or /home. */
export async function loader(args: LoaderFunctionArgs) {
  const { ctx } = args.context
  if (ctx.site.mode === 'hub') {
    const isSearch = new URL(args.request.url).searchParams.has('search')
    return isSearch
      ? { search: await hubSearch(args), home: null }
      : { search: null, home: await hubHome(args) }
  }
  throw redirect(ctx.actor.user && ctx.placeId ? '/home' : '/explore')
}

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  if (data?.search) return [{ title: 'Search' }, { name: 'robots', content: 'noindex' }]
  const intro = data?.home.intro
  return [
    { title: data?.home.title ?? 'Commonplace' },
    ...(intro ? [{ name: 'description', content: intro }] : []),
  ]
}

export default function Index() {
  const { search, home } = useLoaderData<typeof loader>()
  return <HubPage>{search ? <SearchShell {...search} /> : <HubHome {...home} />}</HubPage>
}

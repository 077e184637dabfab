import { redirect, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { HubHome } from '#app/components/hub/hub-home.tsx'
import { HubPage } from '#app/routes/modes/hub-page.tsx'
import { hubHome } from '#app/server/hub-home.server.ts'

/** A hub's home; in the workspace the way to /explore (signed out or no place) or /home. */
export async function loader(args: LoaderFunctionArgs) {
  const { ctx } = args.context
  if (ctx.site.mode === 'hub') return hubHome(args)
  throw redirect(ctx.actor.user && ctx.placeId ? '/home' : '/explore')
}

export const meta = ({ data }: { data?: { title: string; intro?: string } }) => [
  { title: data?.title ?? 'Commonplace' },
  ...(data?.intro ? [{ name: 'description', content: data.intro }] : []),
]

export default function Index() {
  return (
    <HubPage>
      <HubHome {...useLoaderData<typeof loader>()} />
    </HubPage>
  )
}

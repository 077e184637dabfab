import { redirect, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { HubHome } from '#app/components/hub/hub-home.tsx'
import { HubPage } from '../modes/hub-page.tsx'
import { withSharing } from '#app/components/hub/sharing.ts'
import { RecordsShell } from './records-shell.tsx'
import { describeHome } from '#app/server/hub-facts/things.server.ts'
import { withoutPlace } from '#app/server/session.server.ts'
import { hubHome } from '#app/server/hub-home.server.ts'
import { findFilledPage, recordSlots } from '#functions/engine/table/page.ts'

/** A hub's home page; in the workspace a redirect to /home, or without a place to creating one or to what is public. */
export async function loader(args: LoaderFunctionArgs) {
  const { ctx } = args.context
  if (ctx.site.mode === 'hub') {
    if (findFilledPage(new URL(args.request.url))) return { isFilled: true as const, found: null }
    return { isFilled: false as const, home: await hubHome(args), found: await describeHome(args) }
  }
  throw redirect(ctx.actor.user && ctx.placeId ? '/home' : withoutPlace(ctx.actor))
}

export const meta = withSharing<typeof loader>(({ data }) => {
  if (data?.isFilled)
    return [
      { title: recordSlots.title },
      { name: 'description', content: recordSlots.description },
      { name: 'robots', content: recordSlots.robots },
    ]
  const intro = data?.home.intro
  return [
    { title: data?.home.title ?? 'Commonplace' },
    ...(intro ? [{ name: 'description', content: intro }] : []),
  ]
})

export default function Index() {
  const data = useLoaderData<typeof loader>()
  if (data.isFilled) return <HubPage>{<RecordsShell />}</HubPage>
  return (
    <HubPage>
      <HubHome {...data.home} />
    </HubPage>
  )
}

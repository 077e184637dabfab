import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { ClosedPlaces } from './closed-places.tsx'
import { ActionError } from '#app/components/form/form-error.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { handleForm, load } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { buildPlaceCookie } from '#functions/shapes/place-cookie.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'signedIn')
  const { closed } = await load(args, { closed: v1.place.closedPlaces })
  return closed.results
}

/** Reopens an organization and switches to it. */
export async function action(args: ActionFunctionArgs) {
  guard(args, 'signedIn')
  const form = await args.request.clone().formData()
  return handleForm(args, {
    reopen: {
      endpoint: v1.place.reopen,
      params: { placeId: String(form.get('placeId') ?? '') },
      data: () => undefined,
      then: ({ id }: { id: string }) => {
        args.context.ctx.responseHeaders.append('set-cookie', buildPlaceCookie(id))
        return '/home'
      },
    },
  })
}

export const meta = placeTitle('Closed organizations')

/** The closed organizations that the person may reopen. */
export default function Closed() {
  const places = useLoaderData<typeof loader>()
  return (
    <Screen
      isNarrow
      title="Closed organizations"
      sub="Nobody sees anything of them, and nothing of them runs. Their administrators can open them again, as they were."
      done={{}}
    >
      <ActionError />
      {places.length ? (
        <ClosedPlaces places={places} />
      ) : (
        <EmptyState
          title="Nothing to open again"
          text="An organization that you manage stands here for 30 days after it was closed. A personal account is none: it has no data and no hub that could be closed."
          action={
            <Link className="button" to="/account">
              Your account
            </Link>
          }
        />
      )}
    </Screen>
  )
}

import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { ShortForm } from '#app/components/form/edit-form.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { List } from '#app/components/list/list.tsx'
import { newest, type ListOffer } from '#app/components/list/list-query.ts'
import { Day } from '#app/components/list/time.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { listRequest } from '#app/server/list.server.ts'
import { load } from '#app/server/load.server.ts'
import { publicPlaceUrl } from '#app/server/public-urls.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: {
    name: { label: 'By name', field: 'displayName', direction: 'asc' },
    created: newest,
  },
}

/** All organizations. Redirects old URLs with `?tab=`, which were used until 2026-11-25. */
export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'superadmin')
  const { ctx } = args.context
  const url = new URL(args.request.url)
  const tab = url.searchParams.get('tab')
  if (tab === 'people' || tab === 'internals') {
    url.searchParams.delete('tab')
    throw redirect(`/admin/${tab}${url.search}`)
  }
  const { options, ...list } = await listRequest(args, offer)
  const { places } = await load(args, { places: { endpoint: v1.place.find, options } })
  return {
    list: { ...list, total: places.meta.total },
    places: places.results.map(({ id, displayName, isHub, createdAt, domain }) => ({
      ...{ id, displayName, isHub, createdAt },
      url: publicPlaceUrl(ctx, { id, domain }),
    })),
  }
}

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, { create: { endpoint: v1.place.create, fields: names } })
}

export const meta = placeTitle('Admin')

const names = ['id', 'name']
const done = { create: 'The organization is there. Choose it in the switcher to work in it.' }

/** All organizations, and the form that creates one. */
export default function AdminPlaces() {
  const { list, places } = useLoaderData<typeof loader>()
  useToast(useActionData<typeof action>(), done)
  return (
    <>
      <List
        {...{ offer, list }}
        noun="organizations"
        visibleCount={places.length}
        empty={{ title: 'No organizations yet' }}
      >
        <ul className="list">
          {places.map(({ id, displayName, isHub, createdAt, url }) => (
            <li key={id} className="list-item">
              <div className="list-main">
                <p className="list-title">{isHub ? <a href={url}>{displayName}</a> : displayName}</p>
                <p className="list-note">{id}</p>
              </div>
              <div className="list-meta">
                {isHub ? <span className="badge is-success">Hub</span> : null} <Day date={createdAt} />
              </div>
            </li>
          ))}
        </ul>
      </List>
      <ShortForm
        id="new"
        preventScrollReset
        key={list.total}
        names={names}
        save={{ intent: 'create', label: 'Create', doing: 'Creating…' }}
      >
        <h2>Create an organization</h2>
        <TextField label="Name" name="name" required maxLength={200} />
        <TextField
          label="Id"
          name="id"
          hint="The first part of its address: lower-case letters, digits and dashes. It cannot be changed later."
          required
          maxLength={63}
          pattern="[a-z0-9][a-z0-9\-]*"
          autoComplete="off"
        />
      </ShortForm>
    </>
  )
}

import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { OrgTabs } from '#app/components/org/org-tabs.tsx'
import { ShortForm } from '#app/components/form/edit-form.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { Count } from '#app/components/list/time.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { requireManager } from './manage.server.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  await requireManager(args, 'place.close')
  const { closing } = await load(args, { closing: v1.place.closing })
  return closing
}

/** Closes the organization and redirects to where that can be undone. */
export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, {
    close: { endpoint: v1.place.close, fields: ['name'], then: () => '/organization/closed' },
  })
}

export const meta = placeTitle('Close the organization')

/** The effects of closing the organization, and the form, which requires typing its name. */
export default function Close() {
  const closing = useLoaderData<typeof loader>()
  const { name, days } = closing
  const counts = [
    ['Sources', closing.sources],
    ['Records', closing.records],
    ['Pages', closing.pages],
    ['Insights', closing.insights],
    ['Importers', closing.importers],
    ['People', closing.people],
  ] as const
  return (
    <Screen
      title="Close the organization"
      crumbs={[{ label: 'Manage organization', to: '/org/manage' }]}
      sub={`Everything of ${name} goes at once, and for ${days} days you can undo it.`}
    >
      <OrgTabs />
      <div className="settings">
        <section aria-labelledby="what-goes">
          <h2 id="what-goes">What happens</h2>
          <div className="stack">
            <WhatHappens {...closing} />
            <dl className="facts">
              {counts.map(([label, n]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    <Count n={n} />
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        </section>
        <section aria-labelledby="close">
          <h2 id="close">Close it</h2>
          <ShortForm
            preventScrollReset
            names={['name']}
            save={{
              intent: 'close',
              label: 'Close the organization',
              doing: 'Closing…',
              className: 'button is-danger',
            }}
            cancel={{ to: '/org/manage' }}
          >
            <TextField
              label="Name of the organization"
              name="name"
              hint={`Type ${name} to say that you mean it. An email tells all its administrators.`}
              required
              autoComplete="off"
            />
          </ShortForm>
        </section>
      </div>
    </Screen>
  )
}

/** The effects of closing, and what cannot be undone. */
function WhatHappens({ days, hosts, sharedDataTypes }: ReturnType<typeof useLoaderData<typeof loader>>) {
  return (
    <ul className="stack">
      <li>
        Readers find nothing any more: {hosts.join(' and ')} {hosts.length > 1 ? 'say' : 'says'} that the hub
        was closed. Files of data, maps, charts in other websites and short links stop as well.
      </li>
      <li>
        Pictures of the media library stay at addresses that someone has copied, until they are deleted with
        the rest.
      </li>
      <li>Nobody of the team gets in, and keys stop working.</li>
      <li>Nothing runs: no importer, observer, webhook or email.</li>
      {sharedDataTypes > 0 ? (
        <li>
          {sharedDataTypes === 1 ? 'A data type' : `${sharedDataTypes} data types`} of yours that others use
          for their records {sharedDataTypes === 1 ? 'stays' : 'stay'} with them.
        </li>
      ) : null}
      <li>
        For {days} days each administrator can open it again, as it was. Then everything is deleted for good.
      </li>
      <li>Its id and its addresses are never given to another organization.</li>
    </ul>
  )
}

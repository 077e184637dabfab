import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { Link, redirect, useActionData, useLoaderData } from '@remix-run/react'
import { CopyButton } from '#app/components/form/copy-button.tsx'
import { ObserverForm, type ObserverValues } from './observer-form.tsx'
import { TypeTabs } from '#app/components/schema/type-tabs.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { observerForm, observerIn, watchedNow } from '#app/server/observer-screen.server.ts'
import { v1 } from '#functions/v1/index.ts'

export const loader = observerForm

/** The webhook secret is shown once, so the page stays after creating an observer with a webhook. */
export async function action(args: ActionFunctionArgs) {
  const now = await watchedNow(args)
  if (now) return { ok: true as const, intent: 'preview' as const, result: now }
  const { dataTypeId = '' } = args.params
  const outcome = await handleFormKeepingValues(args, () => ({
    create: { endpoint: v1.place.observer.create, data: (form) => ({ ...observerIn(form), dataTypeId }) },
  }))
  if (!outcome.ok) return outcome
  const newObserver = outcome.result
  if (newObserver.channels.includes('webhook')) return outcome
  throw redirect(`/types/${dataTypeId}/observers/${newObserver.id}`, {
    headers: args.context.ctx.responseHeaders,
  })
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle('Create an observer')

const first: ObserverValues = {
  name: '',
  notes: '',
  sourceId: null,
  filters: null,
  condition: { operator: 'gt', aggregation: { function: 'count' }, value: 0 },
  schedule: 'onData',
  cooldown: null,
  channels: [],
  recipients: [],
  webhookUrl: null,
  enabled: true,
}

export default function CreateObserver() {
  const { dataType, rights, data, language, people, timeZone } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const url = `/types/${dataType.id}/observers`
  const newObserver = outcome?.ok && outcome.intent === 'create' ? outcome.result : null
  return (
    <Screen
      title={newObserver ? newObserver.name : 'Create an observer'}
      crumbs={[
        { label: 'Data', to: '/sources' },
        { label: dataType.name, to: `/types/${dataType.id}` },
        { label: 'Observers', to: url },
      ]}
      sub={
        newObserver ? 'The observer is made.' : `It watches records of ${dataType.name} and tells the team.`
      }
    >
      {newObserver ? (
        <section className="stack" aria-labelledby="secret">
          <h2 id="secret">The secret of its webhooks</h2>
          <p>Its webhooks are signed with it. It is shown this once: keep it where your program reads it.</p>
          <pre className="code" tabIndex={0}>
            <code>{newObserver.secret}</code>
          </pre>
          <CopyButton text={newObserver.secret} what="the secret" />
          <div className="form-actions">
            <Link className="button is-primary" to={`${url}/${newObserver.id}`}>
              Go to the observer
            </Link>
          </div>
        </section>
      ) : (
        <>
          <TypeTabs id={dataType.id} {...rights} />
          <ObserverForm
            observer={first}
            {...{ data, language, people, timeZone }}
            save={{ intent: 'create', label: 'Create', doing: 'Creating…' }}
            cancelUrl={url}
          />
        </>
      )}
    </Screen>
  )
}

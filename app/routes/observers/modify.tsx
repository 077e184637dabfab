import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { DeleteButton } from '#app/components/form/edit-form.tsx'
import { ObserverForm } from './observer-form.tsx'
import { conditionIn } from '#app/components/observer/words.ts'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues, versionIn } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { observerForm, observerIn, watchedNow } from '#app/server/observer-screen.server.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  const form = await observerForm(args)
  const { observer } = await load(args, { observer: v1.place.observer.findById })
  return { ...form, observer: { ...observer, condition: conditionIn(observer.condition) } }
}

export async function action(args: ActionFunctionArgs) {
  const now = await watchedNow(args)
  if (now) return { ok: true as const, intent: 'preview', result: now }
  const { dataTypeId = '', observerId = '' } = args.params
  const url = `/types/${dataTypeId}/observers`
  return handleFormKeepingValues(args, () => ({
    save: {
      endpoint: v1.place.observer.updateById,
      data: (form) => ({ ...observerIn(form), version: versionIn(form) }),
      then: () => `${url}/${observerId}`,
    },
    delete: { endpoint: v1.place.observer.deleteById, then: () => url },
  }))
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle<{ observer: { name: string } }>(({ observer }) => `Modify ${observer.name}`)

export default function ModifyObserver() {
  const { dataType, data, language, people, timeZone, observer } = useLoaderData<typeof loader>()
  const url = `/types/${dataType.id}/observers`
  return (
    <Screen
      title={`Modify ${observer.name}`}
      crumbs={[
        { label: dataType.name, to: `/types/${dataType.id}` },
        { label: 'Observers', to: url },
        { label: observer.name, to: `${url}/${observer.id}` },
      ]}
      actions={
        <DeleteButton name={observer.name} text="Its alerts go with it, and no one is told any more." />
      }
    >
      <ObserverForm
        key={observer.id}
        observer={observer}
        {...{ data, language, people, timeZone }}
        save={{ intent: 'save', label: 'Save', doing: 'Saving…' }}
        cancelUrl={`${url}/${observer.id}`}
      />
    </Screen>
  )
}

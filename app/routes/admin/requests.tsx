import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { ActionError } from '#app/components/form/form-error.tsx'
import { List } from '#app/components/list/list.tsx'
import { newest, type ListOffer } from '#app/components/list/list-query.ts'
import { Day } from '#app/components/list/time.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { listRequest } from '#app/server/list.server.ts'
import { load } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

const labels: Record<string, string> = {
  pending: 'Not answered yet',
  accepted: 'Accepted',
  refused: 'Refused',
  withdrawn: 'Taken back',
}

const offer: ListOffer = {
  sorts: { created: newest },
  filters: {
    status: { label: 'Answer', options: Object.entries(labels).map(([value, label]) => ({ value, label })) },
  },
}

export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'superadmin')
  const { options, ...list } = await listRequest(args, offer)
  const { requests } = await load(args, {
    requests: { endpoint: v1.placeRequest.find, options },
  })
  const by = args.context.ctx.settings.organizations?.by ?? 'invitation'
  return {
    list: { ...list, total: requests.meta.total },
    requests: requests.results,
    isByApproval: by === 'approval',
  }
}

export function action(args: ActionFunctionArgs) {
  const data = (form: FormData) => ({ reply: form.get('reply') ?? '' })
  return handleFormKeepingValues(args, (formValues) => {
    const params = { placeRequestId: formValues.requestId ?? '' }
    return {
      accept: { endpoint: v1.placeRequest.accept, params, data },
      refuse: { endpoint: v1.placeRequest.refuse, params, data },
    }
  })
}

export const meta = placeTitle('Admin')

const done = {
  accept: 'The organization is made. An email tells who asked.',
  refuse: 'Refused. An email tells who asked.',
}

/** Requests for organizations, if these require approval. */
export default function AdminRequests() {
  const { list, requests, isByApproval } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  useToast(outcome, done)
  return (
    <>
      <ActionError />
      <List
        {...{ offer, list }}
        noun="requests"
        visibleCount={requests.length}
        empty={{
          title: 'No requests',
          text: isByApproval
            ? 'Whoever wants an organization asks for it here.'
            : 'People ask for an organization where ORGANIZATIONS is “approval”. Here it is not.',
        }}
      >
        <ul className="list">
          {requests.map((request) => (
            <RequestRow key={request.id} request={request} />
          ))}
        </ul>
      </List>
    </>
  )
}

type Request = ReturnType<typeof useLoaderData<typeof loader>>['requests'][number]

function RequestRow({ request }: { request: Request }) {
  const { id, name, wantedId, userName, email, note, status, reply, createdAt } = request
  return (
    <li className="list-item">
      <div className="list-main">
        <p className="list-title">
          {name} <span className="muted">{wantedId}</span>
        </p>
        <p className="list-note">
          {userName}, {email}, <Day date={createdAt} />
        </p>
        {note ? <p className="list-note">{note}</p> : null}
        {reply ? <p className="list-note">Answered: {reply}</p> : null}
      </div>
      <div className="list-actions">
        {status === 'pending' ? (
          <Form method="post" className="row" preventScrollReset>
            <input type="hidden" name="requestId" value={id} />
            <input
              name="reply"
              aria-label={`Message to ${userName}`}
              placeholder="Message (optional)"
              maxLength={1000}
            />
            <button className="button is-small is-primary" name="intent" value="accept">
              Approve<span className="sr-only">: {name}</span>
            </button>
            <ConfirmButton
              intent="refuse"
              question={`Refuse ${name}?`}
              text="Who asked gets an email, and sees what you wrote."
              answer="Refuse"
              className="button is-small"
            >
              Refuse<span className="sr-only"> {name}</span>
            </ConfirmButton>
          </Form>
        ) : (
          <span className={status === 'accepted' ? 'badge is-success' : 'badge'}>{labels[status]}</span>
        )}
      </div>
    </li>
  )
}

import { Form } from '@remix-run/react'
import { FormError } from '#app/components/form/form-error.tsx'
import { useSentForm } from '#app/components/form/edit-form.tsx'
import { Day } from '#app/components/list/time.tsx'

export interface OwnRequest {
  id: string
  kind: 'new' | 'join'
  name: string
  status: 'pending' | 'accepted' | 'refused' | 'withdrawn'
  reply: string
  createdAt: Date | string
}

const states: Record<OwnRequest['status'], { label: string; className: string }> = {
  pending: { label: 'Not answered yet', className: 'badge' },
  accepted: { label: 'Accepted', className: 'badge is-success' },
  refused: { label: 'Refused', className: 'badge is-warning' },
  withdrawn: { label: 'Taken back', className: 'badge' },
}

/** The person's requests with their answers; nothing without any. */
export function OwnRequests({ requests }: { requests: OwnRequest[] }) {
  const { errors } = useSentForm('withdraw')
  if (!requests.length) return null
  return (
    <section className="stack" aria-labelledby="requests">
      <h2 id="requests">What you asked for</h2>
      <FormError errors={errors} names={[]} />
      <ul className="list">
        {requests.map(({ id, kind, name, status, reply, createdAt }) => (
          <li key={id} className="list-item">
            <div className="list-main">
              <p className="list-title">
                {kind === 'new' ? 'New organization: ' : 'To join '}
                {name}
              </p>
              <p className="list-note">
                Asked <Day date={createdAt} />
                {reply ? `. They answered: ${reply}` : ''}
              </p>
            </div>
            <div className="list-actions">
              <span className={states[status].className}>{states[status].label}</span>
              {status === 'pending' ? (
                <Form method="post" preventScrollReset>
                  <input type="hidden" name="requestId" value={id} />
                  <button className="button is-small" name="intent" value="withdraw">
                    Take back<span className="sr-only"> the request for {name}</span>
                  </button>
                </Form>
              ) : null}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

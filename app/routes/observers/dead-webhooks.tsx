import { Form, Link } from '@remix-run/react'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { Moment } from '#app/components/list/time.tsx'

export interface DeadWebhooksProps {
  /** The listed ones; there may be more. */
  webhooks: {
    id: string
    alertId: string
    attempts: number
    error: string | null
    createdAt: Date | string
  }[]
  total: number
  /** The URL that opens an alert. */
  buildAlertHref(alertId: string): string
  /** False: they cannot be repeated by this person. */
  mayResend: boolean
}

/** Failed webhook deliveries with reasons, and buttons to repeat one or all. */
export function DeadWebhooks({ webhooks, total, buildAlertHref, mayResend }: DeadWebhooksProps) {
  return (
    <section className="stack" aria-labelledby="webhooks">
      <div className="section-title">
        <h2 id="webhooks">Failed webhooks</h2>
        {mayResend && total > 1 ? (
          <Form method="post" preventScrollReset>
            <SubmitButton intent="resendAll" className="button is-small" doing="Sending…">
              Send all {total} again
            </SubmitButton>
          </Form>
        ) : null}
      </div>
      <ul className="list">
        {webhooks.map(({ id, alertId, attempts, error, createdAt }) => (
          <li key={id} className="list-item">
            <div className="list-main">
              <p className="list-title">
                <Link to={buildAlertHref(alertId)} preventScrollReset>
                  The alert of <Moment date={createdAt} />
                </Link>
              </p>
              <p className="list-note">
                Given up after {attempts === 1 ? 'one try' : `${attempts} tries`}. {error}
              </p>
            </div>
            {mayResend ? (
              <Form method="post" preventScrollReset>
                <input type="hidden" name="webhookId" value={id} />
                <SubmitButton intent="resend" className="button is-small" doing="Sending…">
                  Send again
                </SubmitButton>
              </Form>
            ) : null}
          </li>
        ))}
      </ul>
      {webhooks.length < total ? <p className="muted">These are the newest of {total}.</p> : null}
    </section>
  )
}

import { Form } from '@remix-run/react'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { Day } from '#app/components/list/time.tsx'

export interface Host {
  /** The hostname. */
  id: string
  verifiedAt: Date | string | null
  releasedAt: Date | string | null
  checkedAt: Date | string | null
  failures: number
  certificate: 'pending' | 'active' | 'failed'
  certificateReason: string | null
  certificateExpiresAt: Date | string | null
}

const certificates: Record<Host['certificate'], { word: string; className: string }> = {
  pending: { word: 'Certificate on its way', className: 'badge is-info' },
  active: { word: 'Certificate active', className: 'badge is-success' },
  failed: { word: 'No certificate', className: 'badge is-danger' },
}

/** A domain of the place: whether it responds, its certificate, and its actions. */
export function HostRow({ host, isCanonical }: { host: Host; isCanonical: boolean }) {
  const { id, verifiedAt, releasedAt, checkedAt, failures, certificate } = host
  const { certificateReason, certificateExpiresAt } = host
  const isOurs = verifiedAt !== null
  const { word, className } = certificates[certificate]
  return (
    <li className="list-item">
      <div className="list-main">
        <p className="list-title">
          {id} {isCanonical ? <span className="badge is-success">The hub’s address</span> : null}
        </p>
        <p className="list-note">
          {isOurs ? (
            <>
              Since <Day date={verifiedAt} />,{' '}
              {checkedAt ? (
                <>
                  last checked <Day date={checkedAt} />
                </>
              ) : (
                'not checked again yet'
              )}
              {failures ? `. The proof was not found ${failures} of 3 times: set the records again.` : ''}
            </>
          ) : (
            <>
              Given up <Day date={releasedAt} />. For 30 days no other organization gets it.
            </>
          )}
        </p>
        {isOurs && certificateReason ? <p className="list-note">{certificateReason}</p> : null}
        {isOurs && certificateExpiresAt ? (
          <p className="list-note">
            The certificate holds until <Day date={certificateExpiresAt} />.
          </p>
        ) : null}
      </div>
      <div className="list-actions">
        {isOurs ? <span className={className}>{word}</span> : null}
        <Form method="post" className="button-group" preventScrollReset>
          <input type="hidden" name="domain" value={id} />
          <button className="button is-small" name="intent" value="verify">
            {isOurs ? 'Check now' : 'Take it again'}
            <span className="sr-only"> {id}</span>
          </button>
          {isOurs ? (
            <ConfirmButton
              intent="giveUp"
              question={`Give ${id} up?`}
              text="The hub stops answering there at once. Links to it break."
              answer="Give up"
            >
              Give up<span className="sr-only"> {id}</span>
            </ConfirmButton>
          ) : null}
        </Form>
      </div>
    </li>
  )
}

import { Form } from '@remix-run/react'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { Day } from '#app/components/list/time.tsx'
import { Records } from './dns-records.tsx'

export interface MailDomainLine {
  /** The domain name. */
  id: string
  verifiedAt: Date | string | null
  checkedAt: Date | string | null
  failures: number
  letsJoin: boolean
  proof: { type: 'TXT'; name: string; value: string }
}

/** An email domain: whether it is verified, its DNS record, and its actions. `found`: the result of a check; undefined without one. */
export function MailDomainRow({
  domain,
  foundRecords: txtRecords,
}: {
  domain: MailDomainLine
  foundRecords: string[] | null | undefined
}) {
  const { id, verifiedAt, checkedAt, failures, letsJoin, proof } = domain
  return (
    <li className="list-item">
      <div className="list-main stack">
        <p className="list-title">
          {id}{' '}
          {verifiedAt ? (
            <span className="badge is-success">Proved</span>
          ) : (
            <span className="badge is-warning">Not proved</span>
          )}{' '}
          {letsJoin ? <span className="badge">Its people may join</span> : null}
        </p>
        {verifiedAt ? (
          <p className="list-note">
            Since <Day date={verifiedAt} />,{' '}
            {checkedAt ? (
              <>
                last checked <Day date={checkedAt} />
              </>
            ) : (
              'not checked again yet'
            )}
            {failures ? `. The record was not found ${failures} of 3 times: set it again.` : ''}
          </p>
        ) : null}
        {verifiedAt && !failures ? null : (
          <Records title="Set this record, then check" records={[proof]} canCopy />
        )}
        {txtRecords === undefined ? null : (
          <p className="notice is-info" role="status">
            {describeRecords(txtRecords, verifiedAt !== null)}
          </p>
        )}
      </div>
      <Form method="post" className="list-actions" preventScrollReset>
        <input type="hidden" name="domain" value={id} />
        <SubmitButton intent="check" doing="Asking DNS…" className="button is-small">
          Check<span className="sr-only"> {id}</span>
        </SubmitButton>
        <input type="hidden" name="letsJoin" value={letsJoin ? '' : 'yes'} />
        {letsJoin ? (
          <SubmitButton intent="letJoin" doing="Saving…" className="button is-small">
            No longer let its people join<span className="sr-only"> by {id}</span>
          </SubmitButton>
        ) : (
          <ConfirmButton
            intent="letJoin"
            question={`Let people of ${id} join?`}
            text="Whoever has confirmed an address of this domain comes in by themselves, as a viewer, and sees what is not public."
            answer="Let them join"
            className="button is-small"
          >
            Let its people join<span className="sr-only"> by {id}</span>
          </ConfirmButton>
        )}
        <ConfirmButton
          intent="giveUp"
          question={`Give up ${id}?`}
          text="Your provider signs in nobody with such an address from then on."
          answer="Give up"
          className="button is-small"
        >
          Give up<span className="sr-only"> {id}</span>
        </ConfirmButton>
      </Form>
    </li>
  )
}

/** The result of a check, as a sentence. */
function describeRecords(txtRecords: string[] | null, isProved: boolean): string {
  if (txtRecords === null) return 'The name servers could not be asked just now. Check again in a minute.'
  if (isProved) return 'The record was found.'
  if (!txtRecords.length)
    return 'There is no TXT record at this name yet. New records can take an hour to be seen.'
  const [first = ''] = txtRecords
  return `The record says “${first.slice(0, 100)}”, which is not the value above.`
}

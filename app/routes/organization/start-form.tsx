import { useRef, type ChangeEvent, type ReactNode } from 'react'
import { useTimeZone } from '#app/client/use-time-zone.ts'
import { ShortForm } from '#app/components/form/edit-form.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { idOfName } from '#functions/shapes/place-id.ts'
import { maxStarted, type StartTerms } from '#functions/shapes/place-request.ts'

export interface StartFormProps {
  terms: StartTerms
  /** Whether a request is pending. */
  isWaiting: boolean
  /** The email address of the person. */
  email: string
  /** The contact of the operator. */
  supportUrl: string
  /** The parent domain of hubs. */
  publicHost: string
}

/** The form that creates or requests an organization; or why that is impossible, and alternatives. */
export function StartForm({ terms, isWaiting, email, supportUrl, publicHost }: StartFormProps) {
  const isByApproval = terms.may === 'ask'
  return (
    <section className="stack" aria-labelledby="start">
      <h2 id="start">{isByApproval ? 'Ask for an organization' : 'Make an organization'}</h2>
      {terms.may === null ? (
        <WhyNot {...{ terms, email, supportUrl }} />
      ) : isByApproval && isWaiting ? (
        <p className="notice">
          You have asked for one. The people who run this installation will answer, and an email tells you.
        </p>
      ) : (
        <ShortForm
          preventScrollReset
          names={isByApproval ? ['name', 'id', 'note'] : ['name', 'id']}
          save={
            isByApproval
              ? { intent: 'ask', label: 'Ask for it', doing: 'Sending…' }
              : { intent: 'start', label: 'Make the organization', doing: 'Making it…' }
          }
        >
          <p className="muted">
            {isByApproval
              ? 'The people who run this installation look at it first. You will be its administrator.'
              : 'It takes a minute. You will be its administrator, and nothing is public until you say so.'}
          </p>
          <NameAndId publicHost={publicHost} />
          {isByApproval ? (
            <TextField
              label="What is it for?"
              name="note"
              hint="Who you are and what you want to publish, for those who decide."
              maxLength={300}
            />
          ) : null}
        </ShortForm>
      )}
    </section>
  )
}

/** The name, and the id that is suggested from it until one is typed. */
function NameAndId({ publicHost }: { publicHost: string }) {
  const isWritten = useRef(false)
  const timeZone = useTimeZone(undefined)
  const suggest = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const input = target.form?.elements.namedItem('id')
    if (input instanceof HTMLInputElement && !isWritten.current) input.value = idOfName(target.value)
  }
  return (
    <>
      <TextField
        label="Name"
        name="name"
        hint="As people call it: City of Oakton, Water Board."
        required
        maxLength={200}
        autoComplete="organization"
        onChange={suggest}
      />
      <TextField
        label="Id"
        name="id"
        hint={`The first part of its address, such as oakton.${publicHost}: lower-case letters, digits and dashes. It cannot be changed later.`}
        required
        minLength={3}
        maxLength={63}
        pattern="[a-z0-9][a-z0-9\-]*"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target }) => {
          isWritten.current = target.value !== ''
        }}
      />
      <input type="hidden" name="timeZone" value={timeZone} />
    </>
  )
}

/** Why the person cannot create one here, and alternatives. */
function WhyNot({ terms, email, supportUrl }: Pick<StartFormProps, 'terms' | 'email' | 'supportUrl'>) {
  const support = <a href={supportUrl}>the people who run this installation</a>
  const texts: Record<NonNullable<StartTerms['why']>, ReactNode> = {
    unconfirmed: 'Confirm your e-mail address first.',
    invitation: (
      <>
        Organizations are made by {support}, who invite people into them. Ask them for one, or ask an
        organization that exists to let you in.
      </>
    ),
    domain: (
      <>
        Here people make an organization who have an address of {terms.domains.join(' or ')}. Yours is {email}
        : sign up with the other one, write to {support}, or ask an organization that exists to let you in.
      </>
    ),
    limit: (
      <>
        You have made {maxStarted} organizations, which is as many as one may. If you need another, write to{' '}
        {support}.
      </>
    ),
  }
  return <p className="notice">{terms.why ? texts[terms.why] : null}</p>
}

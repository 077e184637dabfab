import { useActionData } from '@remix-run/react'
import { useContext } from 'react'
import { KeepsWords } from './kept-value.tsx'
import { useStepUp } from '#app/client/step-up.ts'
import { issuesBeside, refusalIn, type RefusedForm } from './issues.ts'

/** What the server refused, above the inputs; nothing when all of it stands under them. */
export function FormError({
  refused,
  names,
}: {
  refused: RefusedForm | undefined
  names: readonly string[]
}) {
  useStepUp(refused)
  const isRepeatedBelow = useContext(KeepsWords) && refused?.kind !== undefined
  const lines = issuesBeside(refused, names)
  if (!lines.length || isRepeatedBelow) return null
  return (
    <div className="form-error" role="alert">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {refused?.reason === 'ssoAgain' ? (
        <a href="/login/sso/start?again&redirectTo=/account/prove" target="_blank" rel="noreferrer">
          Sign in at your organization in a new tab, then send this again
        </a>
      ) : null}
      {refused?.reason === 'stepUp' ? <a href="/account/prove">Confirm that it is you</a> : null}
    </div>
  )
}

/** What was refused of the screen's buttons. `besides`: the intents of forms that say it themselves. */
export function ActionError({ besides = [] }: { besides?: readonly string[] }) {
  const outcome = useActionData<{ intent?: string; formValues?: Record<string, string> }>()
  const intent = outcome?.intent ?? outcome?.formValues?.intent ?? ''
  const isElsewhere = besides.includes(intent)
  return <FormError refused={isElsewhere ? undefined : refusalIn(outcome)} names={[]} />
}

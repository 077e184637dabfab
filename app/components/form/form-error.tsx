import { useActionData } from '@remix-run/react'
import { useContext } from 'react'
import { KeepsWords } from './draft-field.tsx'
import { useStepUp } from '#app/client/step-up.ts'
import { issuesBeside, readFormErrors, type FormErrors } from './issues.ts'

/** The errors above the inputs of a form; nothing when all of them are shown at their inputs. */
export function FormError({ errors, names }: { errors: FormErrors | undefined; names: readonly string[] }) {
  useStepUp(errors)
  const isRepeatedBelow = useContext(KeepsWords) && errors?.kind !== undefined
  const lines = issuesBeside(errors, names)
  if (!lines.length || isRepeatedBelow) return null
  return (
    <div className="form-error" role="alert">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {errors?.reason === 'ssoAgain' ? (
        <a href="/login/sso/start?again&redirectTo=/account/prove" target="_blank" rel="noreferrer">
          Sign in at your organization in a new tab, then send this again
        </a>
      ) : null}
      {errors?.reason === 'stepUp' ? <a href="/account/prove">Confirm that it is you</a> : null}
    </div>
  )
}

/** The error of a button of the screen. `besides`: the intents of forms that show their own errors. */
export function ActionError({ besides = [] }: { besides?: readonly string[] }) {
  const outcome = useActionData<{ intent?: string; formValues?: Record<string, string> }>()
  const intent = outcome?.intent ?? outcome?.formValues?.intent ?? ''
  const isElsewhere = besides.includes(intent)
  return <FormError errors={isElsewhere ? undefined : readFormErrors(outcome)} names={[]} />
}

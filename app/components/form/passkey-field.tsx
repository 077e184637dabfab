import { useEffect, useRef, useState } from 'react'
import { issueAt, type FormErrors } from './issues.ts'
import { refusalLine } from './message-words.ts'

/**
 * The assertion of a passkey. Submitting the form first asks the browser for the passkey, then submits. `during`: of the signed-in
 * person, or of the second step of a sign-in.
 */
export function PasskeyField({
  during,
  errors,
}: {
  during: 'session' | 'signIn'
  errors: FormErrors | undefined
}) {
  const input = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<{ isAsking: boolean; problem: string | null }>(idle)
  useEffect(() => {
    // An assertion can be used only once.
    if (errors && input.current) input.current.value = ''
  }, [errors])
  useEffect(() => {
    const form = input.current?.form
    let isAsking = false
    const ask = async (button: HTMLElement | null) => {
      const { usePasskey: requestPasskey, describePasskeyError } = await import('#app/client/passkey.ts')
      try {
        const answer = await requestPasskey(during)
        if (!input.current || !form?.isConnected) return
        input.current.value = answer
        setState(idle)
        form.requestSubmit(button)
      } catch (error) {
        setState({ isAsking: false, problem: refusalLine(describePasskeyError(error)) })
      }
    }
    const interceptSubmit = (event: SubmitEvent) => {
      if (input.current?.value) return
      event.preventDefault()
      // Keeps other listeners from submitting it.
      event.stopImmediatePropagation()
      if (isAsking) return
      isAsking = true
      setState({ isAsking: true, problem: null })
      void ask(event.submitter).finally(() => (isAsking = false))
    }
    form?.addEventListener('submit', interceptSubmit)
    return () => form?.removeEventListener('submit', interceptSubmit)
  }, [during])
  const problem = state.problem ?? issueAt(errors, 'passkey')
  return (
    <>
      <input ref={input} type="hidden" name="passkey" defaultValue="" />
      <p role="status" className="needs-scripts">
        {state.isAsking
          ? 'Your browser asks for your passkey…'
          : 'Your browser will ask for your passkey: a device, a security key or a password manager.'}
      </p>
      {problem && !state.isAsking ? (
        <div className="form-error" role="alert">
          <p>{problem}</p>
        </div>
      ) : null}
    </>
  )
}

const idle = { isAsking: false, problem: null }

import { useEffect, useRef } from 'react'
import { askStepUp } from './step-up.ts'
import { showToast } from './toast.ts'

/** The part of an action result that a message needs. */
export type ActionOutcome =
  | { ok: true; intent: string }
  | { ok: false; message: string; reason?: string }
  | undefined
  | null

/** Shows one message for an action result: the sentence of its intent, or the server's message after a failure. */
export function useToast(outcome: ActionOutcome, sentences: Readonly<Record<string, string>>) {
  const lastOutcome = useRef<ActionOutcome>(null)
  useEffect(() => {
    if (!outcome || lastOutcome.current === outcome) return
    lastOutcome.current = outcome
    if (!outcome.ok && outcome.reason === 'stepUp') askStepUp()
    else if (!outcome.ok) void showToast((toast) => toast.error(outcome.message))
    else if (sentences[outcome.intent]) void showToast((toast) => toast.success(sentences[outcome.intent]))
  })
}

import { useEffect, useRef } from 'react'
import { askStepUp } from './step-up.ts'
import { showToast } from './toast.ts'

/** What an action gives back, as far as a message needs it. */
export type ActionOutcome =
  | { ok: true; intent: string }
  | { ok: false; message: string; reason?: string }
  | undefined
  | null

/** Says once what an action did: the sentence of its intent, or the server's own where it refused. */
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

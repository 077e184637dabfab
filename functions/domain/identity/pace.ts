import type { Context } from '#functions/context.ts'

/**
 * Runs something and takes at least that many milliseconds, whether it fails or not, so that the duration
 * reveals nothing.
 */
export async function withMinimumDuration<T>(
  ctx: Pick<Context, 'sleep'>,
  ms: number,
  run: () => Promise<T>,
): Promise<T> {
  const end = Date.now() + ms
  try {
    return await run()
  } finally {
    await sleepUntil(ctx, end)
  }
}

/** Waits until a time in milliseconds since 1970; not at all if it has passed. */
export async function sleepUntil({ sleep = timer }: Pick<Context, 'sleep'>, end: number): Promise<void> {
  const restMs = end - Date.now()
  if (restMs > 0) await sleep(restMs)
}

const timer = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

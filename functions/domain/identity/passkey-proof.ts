import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { PasskeyAnswer, PasskeyRequest } from '#functions/shapes/passkey.ts'
import type { Tx } from '#db/schema.ts'
import { answerChallenge, makeChallenge, wrongPasskey, type ChallengeOwner } from './passkey-challenges.ts'
import { readAsPerson } from './own-keys.ts'
import type { PasskeyAuth } from './passkey-auth.ts'

/** What a browser needs to use a passkey of that person. Failure `conflict` where they have none. */
export async function requestPasskey(ctx: Context, request: ChallengeOwner): Promise<PasskeyRequest> {
  const passkey = await ctx.accounts.transaction(async (tx) => {
    await readAsPerson(tx, request.userId)
    return listPasskeys(tx, request.userId)
  })
  if (passkey.length === 0) throw new Failure('conflict', { message: 'There is no passkey.' })
  const { challenge, rpId, timeout } = await makeChallenge(ctx, request, (auth, headers) =>
    auth.api.generatePasskeyAuthenticationOptions({ headers, returnHeaders: true }),
  )
  if (!rpId || !timeout) throw new Failure('broken', { cause: new Error('The library named no host.') })
  return { publicKey: { challenge, rpId, timeout, userVerification: 'required', allowCredentials: passkey } }
}

/** A person's passkeys in the form of WebAuthn. Must run in a transaction of that person. */
export async function listPasskeys(tx: Tx, userId: string) {
  const rows = await tx
    .selectFrom('passkey')
    .select(['credentialId', 'transports'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute()
  return rows.map(({ credentialId: id, transports }) => ({
    id,
    type: 'public-key' as const,
    ...(transports && { transports: transports.split(',') }),
  }))
}

/**
 * Checks a passkey's response to the challenge of this session or sign-in. The library always creates a
 * session with it: `then` decides in the same transaction what becomes of that, from its id and the headers
 * that carry it. Failure `invalid` (path `passkey`).
 */
export async function usePasskey<T>(
  ctx: Context,
  request: ChallengeOwner,
  response: PasskeyAnswer,
  then: (tx: Tx, attempt: { sessionId: string; headers: Headers; auth: PasskeyAuth }) => Promise<T>,
): Promise<T> {
  return answerChallenge(ctx, request, async (tx, auth, headers) => {
    // Serialises uses of the passkey: each must have a higher signature counter than the one before.
    const own = await tx
      .selectFrom('passkey')
      .select('id')
      .where('userId', '=', request.userId)
      .where('credentialId', '=', response.id)
      .forUpdate()
      .executeTakeFirst()
    if (!own) throw wrongPasskey()
    const proof = await auth.api.verifyPasskeyAuthentication({
      body: { response: { ...response, clientExtensionResults: {} } },
      headers,
      returnHeaders: true,
    })
    await tx.updateTable('passkey').set({ lastUsedAt: ctx.now() }).where('id', '=', own.id).execute()
    return then(tx, { sessionId: proof.response.session.id, headers: proof.headers, auth })
  })
}

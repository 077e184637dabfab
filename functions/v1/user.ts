import * as v from 'valibot'
import { endpoint } from '#functions/api/endpoint.ts'
import * as users from '#functions/domain/users.ts'
import { Failure } from '#functions/errors.ts'
import { isOwnPassword } from '#functions/identity/accounts.ts'
import { UserChanges, UserOptions } from '#functions/shapes/user.ts'

/** People. Everyone sees and changes only themselves. */
export const user = {
  find: endpoint({ allow: 'user.list', options: UserOptions, run: users.find }),
  findById: endpoint({ allow: 'user.read', run: users.findById }),
  updateById: endpoint({ allow: 'user.update', data: UserChanges, run: users.updateById }),
  deleteById: endpoint({
    allow: 'user.delete',
    summary: 'Delete a user; who deletes themselves gives their password',
    data: v.optional(v.strictObject({ password: v.optional(v.pipe(v.string(), v.maxLength(200))) })),
    async run(ctx, asked) {
      const isSelf = ctx.actor.user?.id === asked.params.userId
      if (isSelf && !(await isOwnPassword(ctx, asked.data?.password ?? '')))
        throw new Failure('invalid', {
          issues: [{ path: ['password'], message: 'The password is not right.' }],
        })
      return users.deleteById(ctx, asked)
    },
  }),
}

import type { Acquirer, AcquirerCommand, CommandOf, OutcomeOf } from '../../../gateway/acquirer.ts';

/** The replacement of the acquirer: for commands of one kind, or for all of them. */
type Interception = {
  readonly [K in AcquirerCommand['kind']]?: (command: CommandOf<K>) => Promise<OutcomeOf<CommandOf<K>>>;
} & Partial<Pick<Acquirer, 'perform' | 'inquire' | 'inquireEvidence'>>;

/**
 * Replaces some calls of the acquirer until `undo`. The function gets the acquirer as it is now, with all earlier
 * interceptions.
 */
export type Intercept = (calls: (real: Acquirer) => Interception) => { undo(): void };

/** Makes the calls of a service to its acquirer interceptable. */
export function interceptable(deps: { acquirer: Acquirer }): Intercept {
  const { isConfigured } = deps.acquirer;
  let top = deps.acquirer;
  deps.acquirer = {
    isConfigured,
    perform: (command) => top.perform(command),
    inquire: (inquiry) => top.inquire(inquiry),
    inquireEvidence: (inquiry) => top.inquireEvidence(inquiry),
  };
  return (calls) => {
    const below = top;
    let instead = calls(below);
    top = {
      isConfigured,
      perform: (command) => {
        const ofKind = instead[command.kind] as Acquirer['perform'] | undefined;
        return (ofKind ?? instead.perform ?? below.perform)(command);
      },
      inquire: (inquiry) => (instead.inquire ?? below.inquire)(inquiry),
      inquireEvidence: (inquiry) => (instead.inquireEvidence ?? below.inquireEvidence)(inquiry),
    };
    return {
      undo: () => {
        instead = {};
      },
    };
  };
}

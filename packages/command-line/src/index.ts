export {
  type Command,
  type CommandList,
  type Declared,
  defineCommand,
  findUseless,
  flag,
  number,
  required,
  text,
} from './define-command.ts';
export { describeUsageError, messageOf, namesOf, type Program, runProgram } from './run-program.ts';

export * from './files.ts';
export * from './process.ts';

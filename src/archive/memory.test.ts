import { expect, test } from "vitest";
import { testArchive } from "../testing/test-archive.ts";
import { memoryArchive } from "./memory.ts";

testArchive("memory", { create: () => memoryArchive() }, { test, expect });

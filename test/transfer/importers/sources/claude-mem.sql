-- Made by running claude-mem 13.25.3: its own schema of the tables that hold memories, its triggers and its virtual table, with rows that its store wrote.
CREATE TABLE sdk_sessions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        content_session_id TEXT NOT NULL,
        memory_session_id TEXT UNIQUE,
        project TEXT NOT NULL,
        platform_source TEXT NOT NULL DEFAULT 'claude',
        user_prompt TEXT,
        started_at TEXT NOT NULL,
        started_at_epoch INTEGER NOT NULL,
        completed_at TEXT,
        completed_at_epoch INTEGER,
        status TEXT CHECK(status IN ('active', 'completed', 'failed')) NOT NULL DEFAULT 'active'
      , worker_port INTEGER, prompt_counter INTEGER DEFAULT 0, custom_title TEXT, observed_model TEXT, observed_billing TEXT);
CREATE TABLE "session_summaries" (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        memory_session_id TEXT NOT NULL,
        project TEXT NOT NULL,
        request TEXT,
        investigated TEXT,
        learned TEXT,
        completed TEXT,
        next_steps TEXT,
        files_read TEXT,
        files_edited TEXT,
        notes TEXT,
        prompt_number INTEGER,
        created_at TEXT NOT NULL,
        created_at_epoch INTEGER NOT NULL, discovery_tokens INTEGER DEFAULT 0, merged_into_project TEXT, synced_at INTEGER, origin_device_id TEXT, origin_local_id TEXT, sync_rev TEXT NOT NULL DEFAULT '1',
        FOREIGN KEY(memory_session_id) REFERENCES sdk_sessions(memory_session_id) ON DELETE CASCADE ON UPDATE CASCADE
      );
CREATE TABLE "observations" (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        memory_session_id TEXT NOT NULL,
        project TEXT NOT NULL,
        text TEXT,
        type TEXT NOT NULL,
        title TEXT,
        subtitle TEXT,
        facts TEXT,
        narrative TEXT,
        concepts TEXT,
        files_read TEXT,
        files_modified TEXT,
        prompt_number INTEGER,
        created_at TEXT NOT NULL,
        created_at_epoch INTEGER NOT NULL, discovery_tokens INTEGER DEFAULT 0, content_hash TEXT, generated_by_model TEXT, relevance_count INTEGER DEFAULT 0, merged_into_project TEXT, agent_type TEXT, agent_id TEXT, metadata TEXT, synced_at INTEGER, origin_device_id TEXT, origin_local_id TEXT, sync_rev TEXT NOT NULL DEFAULT '1',
        FOREIGN KEY(memory_session_id) REFERENCES sdk_sessions(memory_session_id) ON DELETE CASCADE ON UPDATE CASCADE
      );
CREATE TABLE "user_prompts" (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session_db_id INTEGER,
        content_session_id TEXT NOT NULL,
        prompt_number INTEGER NOT NULL,
        prompt_text TEXT NOT NULL,
        created_at TEXT NOT NULL,
        created_at_epoch INTEGER NOT NULL, synced_at INTEGER, origin_device_id TEXT, origin_local_id TEXT, sync_rev TEXT NOT NULL DEFAULT '1',
        FOREIGN KEY(session_db_id) REFERENCES sdk_sessions(id) ON DELETE CASCADE
      );
CREATE VIRTUAL TABLE user_prompts_fts USING fts5(
        prompt_text,
        content='user_prompts',
        content_rowid='id'
      );
CREATE TRIGGER user_prompts_ai AFTER INSERT ON user_prompts BEGIN
          INSERT INTO user_prompts_fts(rowid, prompt_text)
          VALUES (new.id, new.prompt_text);
        END;
CREATE TRIGGER user_prompts_ad AFTER DELETE ON user_prompts BEGIN
          INSERT INTO user_prompts_fts(user_prompts_fts, rowid, prompt_text)
          VALUES('delete', old.id, old.prompt_text);
        END;
CREATE TRIGGER user_prompts_au AFTER UPDATE ON user_prompts BEGIN
          INSERT INTO user_prompts_fts(user_prompts_fts, rowid, prompt_text)
          VALUES('delete', old.id, old.prompt_text);
          INSERT INTO user_prompts_fts(rowid, prompt_text)
          VALUES (new.id, new.prompt_text);
        END;
CREATE UNIQUE INDEX ux_observations_session_hash ON observations(memory_session_id, content_hash);
INSERT INTO sdk_sessions (id, content_session_id, memory_session_id, project, platform_source, user_prompt, started_at, started_at_epoch, completed_at, completed_at_epoch, status, worker_port, prompt_counter, custom_title, observed_model, observed_billing) VALUES (1, 'c-session-1', 'm-session-1', 'shop', 'claude', 'Make the checkout faster', '2026-11-17T17:16:58.070Z', 1794935818070, NULL, NULL, 'active', NULL, 0, NULL, NULL, NULL);
INSERT INTO sdk_sessions (id, content_session_id, memory_session_id, project, platform_source, user_prompt, started_at, started_at_epoch, completed_at, completed_at_epoch, status, worker_port, prompt_counter, custom_title, observed_model, observed_billing) VALUES (2, 'c-session-2', 'm-session-2', 'website', 'claude', 'Fix the footer', '2026-11-17T17:16:58.078Z', 1794935818078, NULL, NULL, 'active', NULL, 0, NULL, NULL, NULL);
INSERT INTO sdk_sessions (id, content_session_id, memory_session_id, project, platform_source, user_prompt, started_at, started_at_epoch, completed_at, completed_at_epoch, status, worker_port, prompt_counter, custom_title, observed_model, observed_billing) VALUES (3, 'manual-content-shop', 'manual-shop', 'shop', 'claude', NULL, '2026-11-17T17:16:58.079Z', 1794935818079, NULL, NULL, 'active', NULL, 0, NULL, NULL, NULL);
INSERT INTO session_summaries (id, memory_session_id, project, request, investigated, learned, completed, next_steps, files_read, files_edited, notes, prompt_number, created_at, created_at_epoch, discovery_tokens, merged_into_project, synced_at, origin_device_id, origin_local_id, sync_rev) VALUES (1, 'm-session-1', 'shop', 'Make the checkout faster', 'Where the handler spends its time', 'The tax service accepts a list of items', 'Batched the requests and cached the rates', 'Measure with real carts', '["src/checkout/handler.ts"]', '["src/checkout/handler.ts","src/tax/client.ts"]', NULL, 1, '2026-10-05T09:00:00.000Z', 1791190800000, 1200, NULL, NULL, NULL, NULL, '1');
INSERT INTO observations (id, memory_session_id, project, text, type, title, subtitle, facts, narrative, concepts, files_read, files_modified, prompt_number, created_at, created_at_epoch, discovery_tokens, content_hash, generated_by_model, relevance_count, merged_into_project, agent_type, agent_id, metadata, synced_at, origin_device_id, origin_local_id, sync_rev) VALUES (1, 'm-session-1', 'shop', NULL, 'discovery', 'Checkout waits for the tax service', 'One call per line item', '["The tax service is called once for each line item","A call takes 40 ms"]', 'The checkout handler calls the tax service in a loop, so a cart of twenty items waits for 800 ms.', '["how-it-works","gotcha"]', '["src/checkout/handler.ts"]', '[]', 1, '2026-10-05T09:00:00.000Z', 1791190800000, 1200, 'a6bf2cb7f2791f5d', 'a-model', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '1');
INSERT INTO observations (id, memory_session_id, project, text, type, title, subtitle, facts, narrative, concepts, files_read, files_modified, prompt_number, created_at, created_at_epoch, discovery_tokens, content_hash, generated_by_model, relevance_count, merged_into_project, agent_type, agent_id, metadata, synced_at, origin_device_id, origin_local_id, sync_rev) VALUES (2, 'm-session-1', 'shop', NULL, 'bugfix', 'Batch the tax requests', 'One request per cart', '["`taxFor` now takes a list of items"]', 'The loop was replaced by one batched request; the checkout answers within 90 ms.', '["problem-solution"]', '["src/checkout/handler.ts"]', '["src/checkout/handler.ts","src/tax/client.ts"]', 1, '2026-10-05T09:00:00.000Z', 1791190800000, 1200, '9c32726366ae499b', 'a-model', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '1');
INSERT INTO observations (id, memory_session_id, project, text, type, title, subtitle, facts, narrative, concepts, files_read, files_modified, prompt_number, created_at, created_at_epoch, discovery_tokens, content_hash, generated_by_model, relevance_count, merged_into_project, agent_type, agent_id, metadata, synced_at, origin_device_id, origin_local_id, sync_rev) VALUES (3, 'm-session-1', 'shop', NULL, 'decision', 'Tax rates are cached for an hour', NULL, '["Rates change at most daily"]', 'Tax rates are kept in memory for one hour, because the service publishes them once a day.', '["trade-off"]', '[]', '["src/tax/client.ts"]', 1, '2026-10-05T09:00:00.000Z', 1791190800000, 1200, '47fcfdcf1b509cbe', 'a-model', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '1');
INSERT INTO observations (id, memory_session_id, project, text, type, title, subtitle, facts, narrative, concepts, files_read, files_modified, prompt_number, created_at, created_at_epoch, discovery_tokens, content_hash, generated_by_model, relevance_count, merged_into_project, agent_type, agent_id, metadata, synced_at, origin_device_id, origin_local_id, sync_rev) VALUES (4, 'm-session-2', 'website', NULL, 'change', 'Footer links point to the new help pages', NULL, '[]', 'All footer links were moved to the help pages.', '["what-changed"]', '[]', '["site/footer.html"]', 1, '2026-10-06T09:00:00.000Z', 1791277200000, 100, '102abc4a7868baaf', 'a-model', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '1');
INSERT INTO observations (id, memory_session_id, project, text, type, title, subtitle, facts, narrative, concepts, files_read, files_modified, prompt_number, created_at, created_at_epoch, discovery_tokens, content_hash, generated_by_model, relevance_count, merged_into_project, agent_type, agent_id, metadata, synced_at, origin_device_id, origin_local_id, sync_rev) VALUES (5, 'manual-shop', 'shop', NULL, 'discovery', 'Staging uses its own tax account', 'Manual memory', '[]', 'Staging uses its own tax account; its rates are made up.', '[]', '[]', '[]', NULL, '2026-10-07T09:00:00.000Z', 1791363600000, 0, '2f5c64407a5e1420', NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '1');
INSERT INTO user_prompts (id, session_db_id, content_session_id, prompt_number, prompt_text, created_at, created_at_epoch, synced_at, origin_device_id, origin_local_id, sync_rev) VALUES (1, 1, 'c-session-1', 1, 'Make the checkout faster', '2026-11-17T17:16:58.077Z', 1794935818077, NULL, NULL, NULL, '1');
